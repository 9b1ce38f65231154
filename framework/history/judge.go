package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework/changepoint"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
)

// Verdict is what a series, or all of them, show.
type Verdict string

// The verdicts of a series.
const (
	NoChange     Verdict = "no change"
	Worse        Verdict = "worse"
	Better       Verdict = "better"
	DriftWorse   Verdict = "drift to worse"
	DriftBetter  Verdict = "drift to better"
	Failed       Verdict = "failed"
	NotTheCode   Verdict = "not the code"
	Surroundings Verdict = "surroundings changed"
	Unknown      Verdict = "unknown"
)

// The verdicts of a gate.
const (
	GateWorse        Verdict = "worse"
	GateInconclusive Verdict = "inconclusive"
	GateNoWorse      Verdict = "no worse"
)

// gate is what a series' verdict makes of a gate.
func (v Verdict) gate() Verdict {
	switch v {
	case Worse, DriftWorse, Failed:
		return GateWorse
	case NotTheCode, Surroundings, Unknown:
		return GateInconclusive
	}
	return GateNoWorse
}

// Change is one of a series' level.
type Change struct {
	Revision   string   `json:"revision"`               // first with the new level; of a drift, where it began to show
	After      string   `json:"after"`                  // the change is after this revision …
	Until      string   `json:"until"`                  // … and at this one at the latest
	Found      string   `json:"found"`                  // revision whose run showed it
	Ago        int      `json:"ago"`                    // how many runs came since
	Drift      bool     `json:"drift"`                  // true: a slope, and no step
	Ratio      float64  `json:"ratio"`                  // the new level by the old one
	Low        float64  `json:"low"`                    // lower end of its 95 % interval
	High       float64  `json:"high"`                   // upper end of it
	NotTheCode string   `json:"not_the_code,omitempty"` // why the source did not do it
	Also       []string `json:"also,omitempty"`         // what else changed there
}

// Judged is a series with what it shows.
type Judged struct {
	*Series `json:"-"`
	// Verdict is "no change", "worse", "better", "drift to worse", "drift to better", "failed", "not the
	// code", "surroundings changed" or "unknown".
	Verdict     Verdict `json:"verdict"`
	Reason      string  `json:"reason,omitempty"` // why it is not judged, failed, or not the code
	Config      string  `json:"config"`           // base name of the config's file
	Point       string  `json:"point"`            // in words
	Metric      string  `json:"metric"`           // "time", "energy", "latency" or "latency_p99"
	Machine     string  `json:"machine"`          // fingerprint
	MachineName string  `json:"machine_name"`     // what it is, in words
	Runs        int     `json:"runs"`             // of the series
	// Alike counts those with the last one's surroundings, which are judged: the last 500 at most, or twice
	// "recent".
	Alike int     `json:"runs_alike"`
	Value float64 `json:"value" unit:"the metric's"` // level of the last runs
	Low   float64 `json:"low" unit:"the metric's"`   // lower end of its 95 % interval; 0: unknown
	High  float64 `json:"high" unit:"the metric's"`  // upper end of it
	// Noise is the standard deviation from run to run, relative; absent of one run, and where it is 0.
	Noise    float64   `json:"noise,omitempty"`
	Levels   []float64 `json:"two_levels,omitempty" unit:"the metric's"` // the levels, where the runs have two
	Changes  []Change  `json:"changes,omitempty"`                        // of the level
	Outliers []string  `json:"outliers,omitempty"`                       // revisions of runs far from their level
	Around   []string  `json:"surroundings_changed,omitempty"`           // what is different from the last run of other surroundings

	// Alikes are the results that were judged together, in order, and Found what the
	// detector says of them.
	Alikes []*Entry           `json:"-"`
	Result changepoint.Result `json:"-"`

	older int // runs, with the last one's surroundings, too: too many to be judged
}

// mostJudged is how many results of a series are judged, the last ones: what the detector takes
// goes by the square of their number. Where more runs may count (--recent), it is twice these.
const mostJudged = 500

// judge says what a series shows; a change counts that one of the last recent runs
// found. elsewhere is whether the point was measured on other machines before.
func judge(s *Series, recent int, elsewhere bool) *Judged {
	if len(s.Entries) == 0 {
		first := s.Undated[0]
		return &Judged{Series: s, Config: s.Config, Point: s.Name, Metric: s.Metric.Name, Machine: s.Machine, MachineName: first.MachineName,
			Verdict: Unknown, Reason: misdated(s.Undated)}
	}
	last := s.Entries[len(s.Entries)-1]
	j := &Judged{Series: s, Config: s.Config, Point: s.Name, Metric: s.Metric.Name, Machine: s.Machine, MachineName: last.MachineName, Runs: len(s.Entries)}
	around := last.around()
	var values []changepoint.Value
	var before *Entry // the last of other surroundings
	for _, e := range s.Entries {
		if e.around() != around {
			before = e
			continue
		}
		if v, ok := e.value(s.Metric.Name); ok {
			j.Alikes, values = append(j.Alikes, e), append(values, v)
		}
	}
	if n := len(values) - max(mostJudged, 2*recent); n > 0 {
		j.older, j.Alikes, values = n, j.Alikes[n:], values[n:]
	}
	j.Alike = len(j.Alikes)
	if before != nil {
		j.Around = differences(before, last)
	}
	j.Result = changepoint.Detect(values)
	j.describe()
	switch n := len(j.Changes); {
	case last.Status != "ok":
		j.Verdict, j.Reason = Failed, strings.TrimSuffix(fmt.Sprintf("%s: %s", last.Status, last.Reason), ": ")
	case last.Shared != "":
		j.Verdict, j.Reason = Unknown, "others used the GPU in the last run: "+last.Shared
	case !j.Result.Judged() && before != nil:
		j.Verdict, j.Reason = Surroundings, fmt.Sprintf("%s; %s since, %d are needed", strings.Join(j.Around, "; "), terminal.Count(j.Alike, "run"), changepoint.Before+changepoint.After)
	case !j.Result.Judged() && elsewhere:
		j.Verdict, j.Reason = Unknown, fmt.Sprintf("new machine: %s, %d are needed", terminal.Count(j.Alike, "run"), changepoint.Before+changepoint.After)
	case !j.Result.Judged():
		j.Verdict, j.Reason = Unknown, fmt.Sprintf("%s, %d are needed", terminal.Count(j.Alike, "run"), changepoint.Before+changepoint.After)
	case n > 0 && j.Changes[n-1].Ago < recent:
		c := j.Changes[n-1]
		j.Verdict = map[[2]bool]Verdict{{false, true}: Worse, {false, false}: Better, {true, true}: DriftWorse, {true, false}: DriftBetter}[[2]bool{c.Drift, c.Ratio > 1}]
		if c.NotTheCode != "" {
			j.Verdict, j.Reason = NotTheCode, c.NotTheCode
		}
	default:
		j.Verdict = NoChange
	}
	if late := s.late(recent); len(late) > 0 && j.Verdict.gate() == GateNoWorse {
		j.Verdict, j.Reason = Unknown, misdated(late)
	}
	return j
}

// misdated says of undated results why nothing can be said with them.
func misdated(list []*Undated) string {
	return fmt.Sprintf("%s that may be the last %s left out: %s", terminal.Count(len(list), "run"), map[bool]string{true: "is", false: "are"}[len(list) == 1], dates(list))
}

// dates are the first and the last date of undated results.
func dates(list []*Undated) string {
	first, last := list[0].Started, list[0].Started
	for _, u := range list {
		if u.Started.Before(first) {
			first = u.Started
		}
		if u.Started.After(last) {
			last = u.Started
		}
	}
	text := "dated " + first.UTC().Format(time.DateOnly)
	if to := last.UTC().Format(time.DateOnly); to != first.UTC().Format(time.DateOnly) {
		text += " to " + to
	}
	return text
}

// describe puts what the detector found in terms of runs.
func (j *Judged) describe() {
	levels := j.Result.Levels
	if len(levels) == 0 {
		return
	}
	l := levels[len(levels)-1]
	j.Value = math.Exp(l.Mean)
	if j.Alike > 1 {
		j.Noise = math.Expm1(l.Noise)
	}
	if !math.IsInf(l.High, 0) {
		j.Low, j.High = math.Exp(l.Low), math.Exp(l.High)
	}
	for _, x := range l.Two {
		j.Levels = append(j.Levels, math.Exp(x))
	}
	for _, i := range j.Result.Outliers {
		j.Outliers = append(j.Outliers, j.Alikes[i].Revision)
	}
	for i, c := range j.Result.Changes {
		x := Change{
			Revision: j.Alikes[c.At].Revision, After: j.Alikes[c.First-1].Revision, Until: j.Alikes[c.Last].Revision,
			Found: j.Alikes[c.Found].Revision, Ago: len(j.Alikes) - 1 - c.Found, Drift: c.Drift,
			Ratio: math.Exp(c.Size), Low: math.Exp(c.Low), High: math.Exp(c.High),
		}
		j.causes(&x, c, levels[i], levels[i+1])
		j.Changes = append(j.Changes, x)
	}
}

// leastClock is the relative change of a clock from which on it may be a cause.
const leastClock = 0.01

// causes finds what beside the source may have made a change.
func (j *Judged) causes(x *Change, c changepoint.Change, before, behind changepoint.Level) {
	same := true
	for k := c.First; k <= c.Last; k++ {
		same = same && j.Alikes[k].Revision == j.Alikes[k-1].Revision
	}
	if same {
		x.NotTheCode = fmt.Sprintf("revision %s is on both sides of the change", x.Revision)
	}
	clock := func(l changepoint.Level) float64 {
		var list []float64
		for _, e := range j.Alikes[l.From:l.To] {
			if e.Clock > 0 {
				list = append(list, e.Clock)
			}
		}
		if len(list) == 0 {
			return math.NaN()
		}
		return stats.Median(list)
	}
	// A time that is all computing goes with the inverse of the clock: a change that
	// half of that explains is taken for the clock's.
	from, to := clock(before), clock(behind)
	if moved := math.Log(from / to); !c.Drift && math.Abs(moved) > leastClock && j.Series.Metric.Unit == "s" && moved*c.Size > 0 && math.Abs(moved) >= math.Abs(c.Size)/2 {
		x.NotTheCode = fmt.Sprintf("the SM clock changed with it, from %.0f to %.0f MHz", from/1e6, to/1e6)
	}
	a, b := j.Alikes[c.First-1], j.Alikes[c.Last]
	if a.Tool != b.Tool && a.Tool != a.Revision {
		x.Also = append(x.Also, fmt.Sprintf("bench %s → %s", a.Tool, b.Tool))
	}
	if a.ConfigHash != b.ConfigHash {
		x.Also = append(x.Also, "the config's text")
	}
	if had, now := settings(a.Tunables), settings(b.Tunables); had != now {
		x.Also = append(x.Also, fmt.Sprintf("tunables %s → %s", had, now))
	}
}

// Check is what a history shows.
type Check struct {
	File    string    `json:"file"`    // the history
	Runs    int       `json:"runs"`    // in it
	Recent  int       `json:"recent"`  // a change counts that one of so many last runs found
	Verdict Verdict   `json:"verdict"` // of the gate: "worse", "inconclusive" or "no worse"
	Series  []*Judged `json:"series"`  // the most urgent first (docs/history.md)
	// Gone are the series that the last run of their config on their machine lacks.
	Gone    []string `json:"gone,omitempty"`
	Damaged []string `json:"damaged,omitempty"` // lines that cannot be read
	Notes   []string `json:"notes,omitempty"`   // other remarks
}

// Check judges every series of a history. A change counts that one of the last recent
// runs found.
func (f *File) Check(recent int) *Check {
	c := &Check{File: f.Path, Recent: recent, Damaged: f.Damaged, Verdict: GateNoWorse}
	if f.Twice > 0 {
		c.Notes = append(c.Notes, terminal.Count(f.Twice, "result")+" left out: another has the same point and time")
	}
	if len(f.Undated) > 0 {
		all := make([]*Undated, len(f.Undated))
		for i := range all {
			all[i] = &f.Undated[i]
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s left out, as the clock was wrong (%s): correct \"started\" in these lines, or take them out", countResults(len(all)), dates(all)))
	}
	shared := 0
	for _, e := range f.Entries {
		if e.Shared != "" {
			shared++
		}
	}
	if shared > 0 {
		c.Notes = append(c.Notes, countResults(shared)+" of a GPU that others used, and not judged")
	}
	runs := map[string]bool{}
	newest := map[string]*Entry{}
	machines := map[string]map[string]bool{} // by point
	for i := range f.Entries {
		e := &f.Entries[i]
		runs[e.Started.String()+e.Machine+e.Config] = true
		newest[e.Config+"\n"+e.Machine] = e
		if machines[e.point()] == nil {
			machines[e.point()] = map[string]bool{}
		}
		machines[e.point()][e.Machine] = true
	}
	c.Runs = len(runs)
	for _, s := range f.AllSeries() {
		elsewhere := false
		if n := len(s.Entries); n > 0 {
			last := s.Entries[n-1]
			if newest[s.Config+"\n"+s.Machine].Started.After(last.Started) && len(s.late(recent)) == 0 {
				c.Gone = append(c.Gone, fmt.Sprintf("%s, %s (%s, last in %s)", s.Name, s.Metric.Name, last.MachineName, last.Revision))
				continue
			}
			elsewhere = len(machines[last.point()]) > 1
		}
		j := judge(s, recent, elsewhere)
		c.Series = append(c.Series, j)
		switch g := j.Verdict.gate(); {
		case g == GateWorse, g == GateInconclusive && c.Verdict != GateWorse:
			c.Verdict = g
		}
	}
	slices.SortStableFunc(c.Series, func(a, b *Judged) int { return rank(a.Verdict) - rank(b.Verdict) })
	return c
}

// rank orders verdicts, the most urgent first.
func rank(v Verdict) int {
	return slices.Index([]Verdict{Failed, Worse, DriftWorse, NotTheCode, Surroundings, Unknown, Better, DriftBetter, NoChange}, v)
}
