package experiment

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Turns are the pairs of a comparison of two versions in turns. They have a form in JSON.
type Turns struct {
	Info  record.Info `json:"info"`  // the run
	Pairs []*Pair     `json:"pairs"` // the problems
}

// Turns returns those of the pairs, of which nothing was measured yet.
func (x *Experiment) Turns(pairs []*Pair) *Turns {
	info := x.RunInfo()
	device := record.Device{ID: pairs[0].A.Device}
	if pairs[0].A.Processor == framework.GPU {
		device.Facts = x.Facts
	}
	info.Devices = append(info.Devices, device)
	return &Turns{Info: info, Pairs: pairs}
}

// Run measures each pair with so many repeats; begin is told of each before, and how long the rest takes: by those before
// it, and of the first at least what the settings ask for. The error is that of Pair.Run.
func (r *Turns) Run(ctx context.Context, x *Experiment, repeats int, begin func(i int, p *Pair, left time.Duration)) error {
	const series = 4 // of A and A, and of A and B
	each, start := series*time.Duration(float64(repeats)*x.Config.Measure.MinTime*float64(time.Second)), record.Now()
	for i, p := range r.Pairs {
		if i > 0 {
			each = record.Now().Sub(start) / time.Duration(i)
		}
		begin(i, p, each*time.Duration(len(r.Pairs)-i))
		if err := p.Run(ctx, x.Engine, repeats); err != nil {
			return err
		}
	}
	r.Info.Ended = record.Now()
	return nil
}

// Judge compares the repeats of every pair that did not fail. Versions that are shown
// to differ by no more than the share same are called the same.
func (r *Turns) Judge(same float64) {
	var all []*compare.Turns
	for _, p := range r.Pairs {
		if p.Failure != "" {
			continue
		}
		var control, treatment, energy []float64
		for _, t := range p.repeats {
			control = append(control, compare.RatioOfMedians(t.Control.A, t.Control.B))
			p.note(t.Control)
			if t.Treatment != nil {
				treatment = append(treatment, compare.RatioOfMedians(t.Treatment.A, t.Treatment.B))
				p.note(t.Treatment)
			}
			for _, who := range t.Shared {
				p.addNote("others used the GPU, so that ratios are nearer to 1: " + who)
			}
			if ratio := p.energyRatio(t); ratio > 0 {
				energy = append(energy, ratio)
			}
			for _, n := range t.Notes {
				p.addNote(n)
			}
		}
		if len(energy) < len(p.repeats) {
			energy = nil
		}
		places := engine.Places
		if treatment == nil {
			places = nil // there is no B, so A and A are in two places, which are exchanged each time
		}
		result, err := compare.TurnsOf(control, treatment, energy, places)
		if err != nil {
			p.Failure = err.Error()
			continue
		}
		p.Result = result
		all = append(all, result)
	}
	compare.JudgeTurns(all, same)
}

// energyRatio is B's energy of one run by A's; 0 where one is not known, or others used the GPU
// meanwhile, with a note of what spoils it.
func (p *Pair) energyRatio(t *engine.Turns) float64 {
	if t.EnergyA == nil || t.EnergyB == nil {
		return 0
	}
	for _, e := range []*engine.RunEnergy{t.EnergyA, t.EnergyB} {
		if e.Doubt != "" {
			p.addNote("energy: " + e.Doubt)
		}
	}
	shared := slices.Concat(t.EnergyA.Shared, t.EnergyB.Shared)
	for _, who := range shared {
		p.addNote("energy is not compared: others used the GPU: " + who)
	}
	if t.EnergyA.Joules <= 0 || len(shared) > 0 {
		return 0
	}
	return t.EnergyB.Joules / t.EnergyA.Joules
}

func (p *Pair) note(x *measure.Alternation) {
	for _, n := range x.Notes {
		p.addNote(n)
	}
	if x.Dropped > 0 {
		p.addNote("samples at too low an SM clock were taken again")
	}
}

func (p *Pair) addNote(n string) {
	if !slices.Contains(p.Notes, n) {
		p.Notes = append(p.Notes, n)
	}
}

func meanText(m compare.Mean) string {
	return m.Text() + " (95 % interval " + digits.Ends(m.Value, m.Low, m.High, "") + ")"
}

// Text returns the comparison for people.
func (r *Turns) Text() string {
	var b strings.Builder
	for _, p := range r.Pairs {
		fmt.Fprintf(&b, "%s on %s\n", p.Name, p.A.Device)
		if p.Failure != "" {
			fmt.Fprintf(&b, "  %s\n", p.Failure)
			continue
		}
		for _, line := range p.tunables() {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		fmt.Fprintf(&b, "  A/A, %s: %s over %s\n", p.A.Version, meanText(p.Result.Control), terminal.Count(len(p.repeats), "repeat"))
		if p.Result.Differs() {
			fmt.Fprintf(&b, "  A differs from itself by more than chance: what comes second is treated differently here, and B/A is held against that\n")
		}
		if t := p.Result.Treatment; t != nil {
			fmt.Fprintf(&b, "  B/A, %s / %s: %s, median times %s and %s\n", p.B.Version, p.A.Version, meanText(*t),
				p.median(func(x *measure.Alternation) []float64 { return x.B }), p.median(func(x *measure.Alternation) []float64 { return x.A }))
			fmt.Fprintf(&b, "  B/A by A/A: %s: %s\n", meanText(p.Result.Effect.Mean), p.verdict(p.Result.Effect, "is faster", "is slower"))
		}
		if e := p.Result.Energy; e != nil {
			fmt.Fprintf(&b, "  energy, B/A: %s: %s\n", meanText(e.Mean), p.verdict(e, "takes less energy", "takes more energy"))
		}
		fmt.Fprintf(&b, "  %s\n", p.checked())
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "  %s\n", n)
		}
	}
	return b.String()
}

// checked says how the answers were.
func (p *Pair) checked() string {
	if p.VerificationA == p.VerificationB {
		return fmt.Sprintf("verification: %s", p.VerificationA)
	}
	return fmt.Sprintf("verification: A %s, B %s", p.VerificationA, p.VerificationB)
}

// verdict words that of an effect.
func (p *Pair) verdict(e *compare.Effect, better, worse string) string {
	switch e.Verdict {
	case compare.Better:
		return p.B.Version + " " + better
	case compare.Worse:
		return p.B.Version + " " + worse
	case compare.Same:
		return "the same within " + digits.Percent(e.Within)
	}
	if !e.Bounded() {
		return "unknown, any difference is possible: the repeats differ too much; more of them, or a quieter machine, narrow it"
	}
	return fmt.Sprintf("unknown, a difference of up to %s is possible", digits.Percent(e.Within))
}

// median words the median over all samples of the treatments.
func (p *Pair) median(of func(*measure.Alternation) []float64) string {
	s := p.summary(of)
	return digits.Known(s.Median, s.Median*s.Interval(), "s")
}

func (p *Pair) middle(of func(*measure.Alternation) []float64) float64 { return p.summary(of).Median }

func (p *Pair) summary(of func(*measure.Alternation) []float64) stats.Summary {
	var all []float64
	for _, t := range p.repeats {
		all = append(all, of(t.Treatment)...)
	}
	return stats.Summarize(all)
}

// TurnsFile is the file of the comparison.
const TurnsFile = "ab.json"

// Write writes TurnsFile, a line per repeat as ab.csv, and all samples into dir. It
// returns the files' names.
func (r *Turns) Write(dir *safefile.Folder) ([]string, error) {
	ratios, samples, err := r.Tables()
	if err != nil {
		return nil, err
	}
	all, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range []struct {
		name string
		text []byte
	}{{"ab.csv", ratios}, {"ab_samples.csv.gz", samples}, {TurnsFile, append(all, '\n')}} {
		names = append(names, f.name)
		if err := dir.Write(f.name, bytes.NewReader(f.text)); err != nil {
			return names, err
		}
	}
	return names, nil
}

// Tables are ab.csv, a line per repeat, and all samples.
func (r *Turns) Tables() (ratios, samples []byte, err error) {
	var ratioText, sampleText bytes.Buffer
	z := gzip.NewWriter(&sampleText)
	line, sample := csv.NewWriter(&ratioText), csv.NewWriter(z)
	line.Write([]string{"problem", "device", "a", "b", "kind", "repeat", "median_a_s", "median_b_s", "ratio", "samples_a", "samples_b", "batch_a", "batch_b", "sm_clock_Hz", "energy_a_J", "energy_b_J", "caches",
		"verification_a", "verification_b"})
	sample.Write([]string{"problem", "kind", "repeat", "side", "index", "time_s"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, p := range r.Pairs {
		for i, t := range p.repeats {
			for _, x := range []struct {
				kind, b string
				turns   *measure.Alternation
				checked framework.Verification // of b
			}{{"control", p.A.Version, t.Control, t.VerificationA}, {"treatment", p.B.Version, t.Treatment, t.VerificationB}} {
				if x.turns == nil {
					continue
				}
				a, b := stats.Summarize(x.turns.A), stats.Summarize(x.turns.B)
				clock := ""
				if x.turns.ClockHz > 0 {
					clock = number(x.turns.ClockHz)
				}
				energies := [2]string{}
				if x.kind == "treatment" {
					for side, e := range []*engine.RunEnergy{t.EnergyA, t.EnergyB} {
						if e != nil && e.Joules > 0 {
							energies[side] = number(e.Joules)
						}
					}
				}
				line.Write([]string{p.Name, p.A.Device, p.A.Version, x.b, x.kind, strconv.Itoa(i), number(a.Median), number(b.Median),
					number(compare.RatioOfMedians(x.turns.A, x.turns.B)), strconv.Itoa(a.Count), strconv.Itoa(b.Count),
					strconv.Itoa(x.turns.BatchA), strconv.Itoa(x.turns.BatchB), clock, energies[0], energies[1], string(x.turns.Caches),
					string(t.VerificationA), string(x.checked)})
				for _, side := range []struct {
					name  string
					times []float64
				}{{"a", x.turns.A}, {"b", x.turns.B}} {
					for j, s := range side.times {
						sample.Write([]string{p.Name, x.kind, strconv.Itoa(i), side.name, strconv.Itoa(j), number(s)})
					}
				}
			}
		}
	}
	line.Flush()
	sample.Flush()
	if err := z.Close(); err != nil {
		return nil, nil, err
	}
	return ratioText.Bytes(), sampleText.Bytes(), line.Error()
}
