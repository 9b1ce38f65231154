package experiment

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// Planned is what a run would be. It has a form in JSON.
type Planned struct {
	Config  string       `json:"config"`             // its file
	Points  []plan.Point `json:"points"`             // in the order they run
	LeftOut []string     `json:"left_out,omitempty"` // versions without points here, and why
	// Smaller are the parameters whose defaults are smaller on this GPU, which shares the CPU's memory, than
	// on others.
	Smaller []string `json:"smaller_defaults,omitempty"`
	Assumed []string `json:"assumed,omitempty"` // versions whose libraries the described GPU's machine is taken to have
	// Memory is what each point that is not skipped takes beside the tool itself.
	Memory       []PointMemory `json:"memory"`
	Skipped      int           `json:"skipped"`                   // points with a "skip"
	Seconds      float64       `json:"about_s"`                   // estimate of a run's time, without power and cooling down
	PowerSeconds float64       `json:"about_s_of_power" unit:"s"` // what measuring power adds
	// Board is a model of the time on the described board, whose GPU shares the memory, with power; absent for
	// others.
	Board float64 `json:"about_s_on_board,omitempty" unit:"s"`

	gpu     *gpu.Facts
	remarks []string // of the plan
}

// PointMemory is the memory that one point takes.
type PointMemory struct {
	Point int `json:"point"` // its number
	framework.Memory
}

// Planned describes a run of the experiment's points under the name of its config. It skips points that do not
// fit into the memory that is free now.
func (x *Experiment) Planned(config string) *Planned {
	p := &Planned{Config: config, Points: x.Plan.Points, LeftOut: x.Plan.LeftOut, Smaller: x.Plan.Smaller, Assumed: x.Plan.Assumed, Memory: []PointMemory{}, gpu: x.Facts, remarks: x.Plan.Remarks()}
	for i := range p.Points {
		point := &p.Points[i]
		if point.Skip == "" {
			point.Skip = x.TooLarge(*point)
		}
		if point.Skip != "" {
			p.Skipped++
			continue
		}
		version := x.Factory.VersionOn(point.Version, point.Processor)
		p.Memory = append(p.Memory, PointMemory{point.ID, x.Factory.Memory(version, point.Params, point.Tunables, x.options.Verify == framework.FullVerification)})
	}
	together := float64(x.Crew.Together())
	plain := Duration(x.Config, p.Points, false)
	p.Seconds, p.PowerSeconds = plain.Seconds()/together, (Duration(x.Config, p.Points, true)-plain).Seconds()/together
	if x.Facts != nil && x.Facts.Integrated {
		p.Board = OnBoard(x.Subject, p.Points, *x.Facts).Seconds()
	}
	return p
}

// Remarks returns lines on what differs from the config: versions left out, smaller defaults, and libraries
// that are assumed.
func (p *Planned) Remarks() []string {
	lines := slices.Clone(p.remarks)
	if len(p.Assumed) > 0 {
		lines = append(lines, fmt.Sprintf("taken to be on %s: the libraries of %s", p.gpu.Name, strings.Join(p.Assumed, ", ")))
	}
	return lines
}

// common returns what all points have in common: the algorithm, then parameters, then the device. alike is set
// for the names among these, deviceAxis included.
func (p *Planned) common() (words []string, alike map[string]bool) {
	first := p.Points[0]
	same := func(of func(plan.Point) string) bool {
		return !slices.ContainsFunc(p.Points, func(pt plan.Point) bool { return of(pt) != of(first) })
	}
	words, alike = []string{first.Algorithm}, map[string]bool{}
	for _, n := range first.ParamOrder {
		if alike[n] = same(func(pt plan.Point) string { return pt.Params[n].String() }); alike[n] {
			words = append(words, fmt.Sprintf("%s=%s", n, first.Params[n]))
		}
	}
	if alike[deviceAxis] = same(func(pt plan.Point) string { return pt.Device }); alike[deviceAxis] {
		words = append(words, "on "+first.Device)
	}
	return words, alike
}

// Text returns what all points have in common, a line for each point, the reasons of skipped points, and the
// memory and time of all.
func (p *Planned) Text(colours terminal.Palette) string {
	var b strings.Builder
	var why terminal.Footnotes
	var largest int64
	memory := map[int]string{}
	for _, m := range p.Memory {
		largest = max(largest, m.Total())
		memory[m.Point] = terminal.Bytes(m.Total())
	}
	words, alike := []string(nil), map[string]bool(nil)
	if len(p.Points) > 1 {
		words, alike = p.common()
		fmt.Fprintln(&b, strings.Join(words, ", "))
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, pt := range p.Points {
		fmt.Fprintf(w, "%d\t%s\t", pt.ID, pt.Version)
		if alike == nil {
			fmt.Fprintf(w, "%s\t", pt.Algorithm)
		}
		if !alike[deviceAxis] {
			fmt.Fprintf(w, "%s\t", pt.Device)
		}
		for _, n := range pt.ParamOrder {
			if !alike[n] {
				fmt.Fprintf(w, "%s=%s ", n, pt.Params[n])
			}
		}
		fmt.Fprintf(w, "\t%s\t", memory[pt.ID])
		for _, n := range pt.TunableOrder {
			fmt.Fprintf(w, "%s=%s ", n, pt.Tunables[n])
		}
		if pt.Tuned != "" {
			fmt.Fprintf(w, "\t%s", pt.Tuned)
		}
		if pt.Skip != "" {
			fmt.Fprintf(w, "\t%s%s", record.Skipped.Coloured(colours), why.Mark(pt.Skip))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintf(&b, "%s%s: %s, %d of them skipped\n", why.Text(), p.Config, terminal.Count(len(p.Points), "point"), p.Skipped)
	if largest > 0 {
		fmt.Fprintf(&b, "a point takes at most %s of memory beside the tool itself", terminal.Bytes(largest))
		if p.gpu != nil && p.gpu.Integrated {
			fmt.Fprintf(&b, "; GPU and CPU of %s share %.3g GiB", p.gpu.Name, float64(p.gpu.GlobalBytes)/(1<<30))
		}
		fmt.Fprintln(&b)
	}
	if p.Board > 0 {
		fmt.Fprintf(&b, "about %s on %s with power (a model: by the measure settings, the sensors' known averaging and a guess of the CPU's speed)\n",
			terminal.Clock(p.Board), p.gpu.Name)
	} else if p.Seconds > 0 {
		fmt.Fprintf(&b, "about %s to measure, and %s more where power is (by the measure settings; long kernels take longer)\n",
			terminal.Clock(p.Seconds), terminal.Clock(p.PowerSeconds))
	}
	return b.String()
}
