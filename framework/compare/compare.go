// Package compare compares runs, or versions within a run. It pairs their points, gives ratios with their
// confidence, judges them, and finds which are best in time and energy at once. It makes tables and texts
// of a comparison, and reads what bench compare --json printed.
package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
)

// Run is a recorded run with its name in the comparison.
type Run struct {
	Name string // unique among the runs compared
	// Level is the run's name when runs are compared. Runs of one level are instances of it. If it
	// is empty, it is Name.
	Level string
	*record.Run
	// Samples are the timed samples; nil if the folder has none.
	Samples *record.Samples

	// models and units are the models and units of devices by their names in rows; a merged run has
	// many.
	models map[deviceKey]string
	units  map[string]string
}

// deviceKey is how a row names its device.
type deviceKey struct {
	device    string
	processor framework.Processor
}

// Dimension is what distinguishes the compared levels.
type Dimension string

// The dimensions. ByVersion compares within each run, as do the parameters of a version's usage
// (framework.UsageParams) and inputs. The others compare across runs.
const (
	ByRun       Dimension = "run"
	ByPowerMode Dimension = "power_mode"
	ByDevice    Dimension = "device"
	ByVersion   Dimension = "version"
)

// Dimensions returns all dimensions.
func Dimensions() []Dimension {
	all := []Dimension{ByRun, ByPowerMode, ByDevice, ByVersion}
	for _, p := range framework.UsageParams() {
		all = append(all, Dimension(p.Name))
	}
	return append(all, framework.InputsParam)
}

// DimensionNames returns the names of all dimensions.
func DimensionNames() (names []string) {
	for _, d := range Dimensions() {
		names = append(names, string(d))
	}
	return names
}

// Check returns an error for what is not a dimension.
func (d Dimension) Check() error {
	if slices.Contains(Dimensions(), d) {
		return nil
	}
	return errors.New(config.NoneOf(string(d), DimensionNames()))
}

// usage reports whether d is a parameter of a version's usage or inputs.
func (d Dimension) usage() bool {
	return framework.UsageParam(string(d)) != nil || d == framework.InputsParam
}

// Options are the options of a comparison.
type Options struct {
	By Dimension
	// Metrics by name; nil for all that have values.
	Metrics []string
	// Baseline is the level with which the others are compared. If it is empty, it is the first
	// level; by device, the first of each processor; by version, the first of those that share problems.
	Baseline string
	// Gate is the relative worsening that is tolerated, e.g. 0.05; nil: no gate.
	Gate *float64
	// MixCaches allows comparing times with caches in different states, with a warning.
	MixCaches bool

	leaders []string // baselines of groups of levels
}

// Alpha bounds the chance that a table reports any difference where there
// is none.
const Alpha = 0.05

// Comparison is the result of New.
type Comparison struct {
	By       Dimension  `json:"by"`                 // "run", "power_mode", "device" or "version"
	Levels   []string   `json:"levels"`             // what is compared; the first is the baseline unless a point says otherwise
	Factors  []string   `json:"factors"`            // names of what distinguishes points
	Constant []Factor   `json:"constant,omitempty"` // what all points have in common
	Points   []Point    `json:"points"`             // that at least two levels share
	Tables   []Table    `json:"tables"`             // one for each metric
	Unpaired []Unpaired `json:"unpaired,omitempty"` // values without a partner
	Warnings []string   `json:"warnings,omitempty"` // what makes the comparison doubtful
	Notes    []string   `json:"notes,omitempty"`    // other remarks
	Gate     *Gate      `json:"gate,omitempty"`     // with --gate
	// Spreads are how much devices of one model differ, in a comparison by device: for each model with at
	// least three devices, and each metric.
	Spreads []Spread `json:"spreads,omitempty"`

	values int        // rows of all Points, by level
	modes  bool       // levels are power modes, or runs in different ones
	groups [][]string // of Levels, each with a baseline of its own
}

// Factor is one name and value, as text.
type Factor struct {
	Name  string `json:"name"`  // parameter or tunable
	Value string `json:"value"` // as text
}

// Point is one sweep point that at least two levels share.
type Point struct {
	Factors  []string `json:"factors"`         // values, in the order of "factors"
	Baseline string   `json:"baseline"`        // a level
	Front    []string `json:"front,omitempty"` // levels that no other beats in both time and energy, fastest first; absent: fewer than two have both

	rows map[string]*entry
}

// Unpaired is a level that has no value at some points, and why.
type Unpaired struct {
	Level  string   `json:"level"`  // that lacks them
	Why    string   `json:"why"`    // in words
	Points []string `json:"points"` // where
}

// String returns a line that names the first points and counts the others.
func (a Unpaired) String() string {
	const named = 4
	where := strings.Join(a.Points[:min(named, len(a.Points))], "; ")
	if more := len(a.Points) - named; more > 0 {
		where += fmt.Sprintf(" and %d more", more)
	}
	if where == "" {
		return a.Level + " " + a.Why
	}
	return a.Level + " " + a.Why + " at " + where
}

// Name returns the point's factors in one line.
func (p Point) Name() string { return strings.Join(p.Factors, " ") }

// Table is one metric at all points.
type Table struct {
	Metric Metric `json:"metric"` // what is compared
	Cells  []Cell `json:"cells"`  // a level at a point
	// Means are the geometric means of the ratios, by level, over the points that have one; absent for fewer
	// than two points.
	Means map[string]float64 `json:"geometric_means,omitempty"`
}

// Cell is one level at one point.
type Cell struct {
	Point int    `json:"point"` // index in "points"
	Level string `json:"level"` // its name
	Estimate
	Ratio *Ratio `json:"ratio,omitempty"` // to the baseline; absent of the baseline itself
}

// entry is a row in its run, with the rows of other runs of the same level.
type entry struct {
	run  *Run
	row  *record.Row
	also []*entry
}

// all returns the entry and the others of its level.
func (e *entry) all() []*entry { return append([]*entry{e}, e.also...) }

// New makes a comparison. Its errors are the caller's mistakes.
func New(runs []Run, opt Options) (*Comparison, error) {
	if len(runs) == 0 {
		return nil, errors.New("no run to compare")
	}
	metrics, err := chosen(opt.Metrics)
	if err != nil {
		return nil, err
	}
	c := &Comparison{By: opt.By, modes: opt.By == ByPowerMode || opt.By == ByRun && modesDiffer(runs)}
	p := newPairing(runs, opt.By)
	if err := p.collect(); err != nil {
		return nil, err
	}
	c.Levels = p.levels
	if opt.Baseline != "" && !slices.Contains(c.Levels, opt.Baseline) {
		return nil, fmt.Errorf("no %s %q to be the baseline; there are: %s", opt.By, opt.Baseline, strings.Join(c.Levels, ", "))
	}
	if len(c.Levels) < 2 {
		return nil, fmt.Errorf("only one %s, %s: nothing to compare it with", opt.By, strings.Join(c.Levels, ""))
	}
	p.points(c, append(opt.leaders, opt.Baseline))
	if len(c.Points) == 0 {
		var why []string
		for _, a := range c.Unpaired {
			why = append(why, "\n  "+a.String())
		}
		return nil, fmt.Errorf("no two points differ in the %s alone:%s", opt.By, strings.Join(why, ""))
	}
	mixed := ""
	if slices.ContainsFunc(metrics, func(m Metric) bool { return m.Name == "time" }) {
		mixed = c.mixture()
	}
	// At the start of copies, caches are as the copies leave them. That is part of what is
	// compared.
	if mixed != "" && !opt.MixCaches && opt.By != Dimension(framework.TimedParam) {
		return nil, fmt.Errorf("%s, which differ for that alone; --mix-caches compares them all the same, --metric energy needs no times", mixed)
	}
	for _, m := range metrics {
		c.table(m, len(opt.Metrics) > 0, opt.Gate != nil)
	}
	if len(c.Tables) == 0 {
		return nil, errors.New("no point that has a partner was measured in any of the metrics")
	}
	c.judge()
	c.noteDisturbed()
	c.noteShared()
	if opt.Gate != nil {
		c.Gate = c.gate(*opt.Gate, p.lost)
	}
	c.fronts()
	c.spreads(p, metrics)
	c.Warnings = append(c.Warnings, environments(runs, opt.By)...)
	if mixed != "" {
		c.Warnings = append(c.Warnings, mixed)
	}
	return c, nil
}

// table adds the metric's table, if it has a ratio. Ratios keep their samples only for a gate.
func (c *Comparison) table(m Metric, asked, gate bool) {
	t := Table{Metric: m}
	paired := false
	uncalibrated := false
	had, lacking := map[string]bool{}, map[string]bool{}
	for i, p := range c.Points {
		if to := p.rows[p.Baseline].run.Info.RelativeTo; to != "" && m.Name == "time" {
			t.Metric.Unit, t.Metric.Title = "", "time of one run relative to "+to
		}
		base := p.estimate(p.Baseline, m, c.By == ByDevice)
		for _, l := range c.Levels {
			e := p.estimate(l, m, c.By == ByDevice)
			if e.Value <= 0 {
				if p.rows[l] != nil {
					lacking[l] = true
				}
				continue
			}
			had[l] = true
			cell := Cell{Point: i, Level: l, Estimate: e.bare()}
			if l != p.Baseline && base.Value > 0 {
				if p.relative(l) {
					continue
				}
				apart := c.By == ByDevice || p.rows[l].apart(p.rows[p.Baseline])
				if apart == (c.By == ByDevice) {
					cell.Ratio = ratio(base, e)
				} else {
					cell.Ratio = ratio(p.estimate(p.Baseline, m, apart), p.estimate(l, m, apart))
				}
				cell.Ratio.disturbance = c.disturbance(p.rows[p.Baseline], p.rows[l])
				cell.Ratio.shared = shared(p.rows[p.Baseline], p.rows[l])
				cell.Ratio.widen()
				if !gate {
					cell.Ratio.sides = nil
				}
				if apart && m.apart != nil && cell.Ratio.P == nil {
					uncalibrated = true
				}
				paired = true
			}
			if t.Cells == nil { // at most so many, and mostly
				t.Cells = make([]Cell, 0, c.values)
			}
			t.Cells = append(t.Cells, cell)
		}
	}
	if !paired {
		if asked {
			c.Notes = append(c.Notes, fmt.Sprintf("no %s at two levels of any point", m.Name))
		}
		return
	}
	var some, none []string
	for _, l := range c.Levels {
		switch {
		case lacking[l] && had[l]:
			some = append(some, l)
		case lacking[l]:
			none = append(none, l)
		}
	}
	for _, x := range []struct {
		of     string
		levels []string
	}{{"at every point of ", some}, {"of ", none}} {
		if len(x.levels) > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s was not measured %s%s", m.Name, x.of, strings.Join(x.levels, ", ")))
		}
	}
	if uncalibrated {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of different boards: the calibration of a sensor is unknown, so differences are not judged (docs/power.md tells how to state one)", m.Name))
	}
	t.Means = t.means()
	c.Tables = append(c.Tables, t)
}

// estimate returns the level's value at the point; its Value is 0 if there is none. apart is set for a
// comparison with other boards.
func (p Point) estimate(level string, m Metric, apart bool) Estimate {
	e := p.rows[level]
	switch {
	case e == nil:
		return Estimate{}
	case apart && m.apart != nil:
		m.of = m.apart
	}
	return m.estimate(e)
}

// relative reports whether the times of a level and of the baseline are in
// units of different runs.
func (p Point) relative(level string) bool {
	a, b := p.rows[p.Baseline].run, p.rows[level].run
	return a != b && (a.Info.RelativeTo != "" || b.Info.RelativeTo != "")
}

// mixture says where times with caches in different states meet; empty if they do not.
func (c *Comparison) mixture() string {
	for _, p := range c.Points {
		base := p.rows[p.Baseline].caches()
		for _, l := range c.Levels {
			if e := p.rows[l]; e != nil && base != "" && e.caches() != "" && e.caches() != base {
				return fmt.Sprintf("times with %s caches (%s) meet times with %s caches (%s)", base, p.Baseline, e.caches(), l)
			}
		}
	}
	return ""
}
