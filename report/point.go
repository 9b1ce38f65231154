package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// mostSamples is how many samples of a series a point's figure shows: the first.
const mostSamples = 4000

// point returns what the page shows of a row once it is chosen.
func (r *runReader) point(w *record.Row) Point {
	p := Point{Name: fmt.Sprintf("point %d: %s", w.Point, r.names.Of(w)), Command: r.command(w)}
	add := func(name, value string) {
		if value != "" {
			p.Facts = append(p.Facts, Fact{name, value})
		}
	}
	add("status", string(w.Status))
	add("reason", w.Reason)
	add("device", w.Device)
	add("power mode", w.PowerMode)
	for _, c := range r.run.Columns.Params {
		add(c.Name, w.Params.Get(c.Name).String())
	}
	for _, c := range r.run.Columns.Tunables {
		add(c.Name, w.Tunables.Get(c.Name).String())
	}
	statistics := func(prefix string, s record.Statistics) {
		if !s.Median.IsSet() {
			return
		}
		add(prefix+"time of one run", spanned(s.Median, s.Low, s.High, "s"))
		if s.Samples.Int() != 1 { // of which there is no spread
			add(prefix+"quartiles", ends(s.Q1, s.Q3, "s"))
			add(prefix+"least and most", ends(s.Min, s.Max, "s"))
		}
		if s.Samples.IsSet() {
			add(prefix+"samples", fmt.Sprintf("%d of %s each", s.Samples.Int(), terminal.Count(max(1, s.Batch.Int()), "run")))
		}
		if s.Instances.Int() > 1 {
			add(prefix+"instances", fmt.Sprint(s.Instances.Int()))
		}
		add(prefix+"converged", s.Converged)
		add(prefix+"stopped by", s.Stop)
		if s.Moved.IsSet() {
			add(prefix+"level changed by", digits.Percent(s.Moved.Float()))
		}
		add(prefix+"SM clock", digits.Scaled(s.Clock.Float(), "Hz"))
	}
	if w.Caches != "" {
		add("caches", string(w.Caches))
	}
	statistics("", w.Time)
	statistics("hot: ", w.Hot.Get())
	rate, power, energy := w.Rate.Get(), w.Power.Get(), w.Energy.Get()
	if rate.IsSet() {
		add("release rate", digits.Scaled(rate.Hz.Float(), "Hz"))
		add("median latency", spanned(rate.P50, rate.P50Low, rate.P50High, "s"))
		add("99th percentile", spanned(rate.P99, rate.P99Low, rate.P99High, "s"))
		add("99.9th percentile", spanned(rate.P999, rate.P999Low, rate.P999High, "s"))
		add("longest latency", digits.Scaled(rate.Worst.Float(), "s"))
		add("deadline misses", fmt.Sprintf("%d of %s", rate.Misses.Int(), terminal.Count(rate.Releases.Int(), "release")))
	}
	add("operations", digits.Known(w.Work.GFLOPPerS.Float()*1e9, w.Work.GFLOPPerS.Float()*1e9*w.Time.Half(), "FLOP/s"))
	add("executed operations", digits.Known(w.Work.Executed.Float()*1e9, w.Work.Executed.Float()*1e9*w.Time.Half(), "FLOP/s"))
	add("of the FMA ceiling", share(w.Work.FMAShare))
	add("bytes", digits.Known(w.Memory.GBytePerS.Float()*1e9, w.Memory.GBytePerS.Float()*1e9*w.Time.Half(), "B/s"))
	add("loaded and stored", digits.Known(w.Memory.Accessed.Float()*1e9, w.Memory.Accessed.Float()*1e9*w.Time.Half(), "B/s"))
	add("of the copy ceiling", share(w.Memory.CopyShare))
	add("power", digits.PlusMinus(power.Total.Float(), power.Uncertainty.Float(), "W"))
	add("idle power", digits.Scaled(power.Idle.Float(), "W"))
	add("energy of one run", digits.PlusMinus(energy.Total.Float(), energy.Uncertainty.Float(), "J"))
	add("energy, calibration included", digits.PlusMinus(energy.Total.Float(), energy.Combined.Float(), "J"))
	add("energy above idle", digits.Scaled(energy.AboveIdle.Float(), "J"))
	add("restoring the inputs, taken off", digits.PlusMinus(energy.Restoring.Float(), energy.RestoringU.Float(), "J"))
	add("executed operations per joule", digits.Scaled(power.Executed.Float()*1e9, "FLOP/J"))
	add("loaded and stored per joule", digits.Scaled(power.Accessed.Float()*1e9, "B/J"))
	add("no power", power.Absent)
	add("doubts about power", power.Notes)
	if w.Bound.IsSet() {
		add("error of the answer", fmt.Sprintf("%.3g, bound %.3g (%s)", w.Error.Float(), w.Bound.Float(), w.Metric))
	}
	add("verification", w.How)
	add("notes", w.Verification.Notes)
	if f, ok := r.sampleFigure(w); ok {
		p.Figures = append(p.Figures, f)
	}
	if f, ok := r.trace(w); ok {
		p.Figures = append(p.Figures, f)
	}
	return p
}

// sampleFigure shows the samples of a row in the order taken.
func (r *runReader) sampleFigure(w *record.Row) (Figure, bool) {
	f := Figure{Title: "samples in the order taken", X: Axis{Title: "sample"}, Y: Axis{Title: "time of one run", Unit: "s"}}
	type key struct {
		mode     string
		instance int
	}
	at := map[key]int{}
	total := 0
	for x := range r.samples.Of(w.Point) {
		k := key{x.Mode, x.Instance}
		i, ok := at[k]
		if !ok {
			i = len(f.Series)
			at[k] = i
			name := x.Mode
			if w.Time.Instances.Int() > 1 {
				name += fmt.Sprintf(", instance %d", x.Instance)
			}
			f.Series = append(f.Series, Series{Name: name, Mark: MarkPoints, Colour: i})
		}
		s := &f.Series[i]
		total += len(x.Times)
		for n, t := range x.Times {
			if len(s.X) < mostSamples {
				s.X, s.Y = append(s.X, float64(x.First+n)), append(s.Y, t)
			}
		}
	}
	shown := 0
	for _, s := range f.Series {
		shown += len(s.X)
	}
	if shown < total {
		f.Note = fmt.Sprintf("The first %d of %s. ", shown, terminal.Count(total, "sample"))
	}
	return f, len(f.Series) > 0
}

// modes reports whether the run switched between power modes, and devices whether a version ran on several
// devices.
func (r *runReader) modes() bool {
	return slices.ContainsFunc(r.run.Rows, func(w record.Row) bool { return w.PowerMode != r.run.Rows[0].PowerMode })
}

func (r *runReader) devices() bool {
	where := map[string]string{}
	return slices.ContainsFunc(r.run.Rows, func(w record.Row) bool {
		had, ok := where[w.Version]
		where[w.Version] = w.Device
		return ok && had != w.Device
	})
}

// command returns the command that measures the row again; empty if the run had no command line.
func (r *runReader) command(w *record.Row) string {
	info := r.run.Info
	if info.Source != "" || len(info.Command) < 2 {
		return ""
	}
	if info.Command[1] != "run" {
		return "bench " + strings.Join(quoted(info.Command[1:]), " ")
	}
	words := []string{"bench", "run", info.Config.Path}
	set := assignments(r.run.Axes, info.Config.Set, w)
	for _, a := range set {
		words = append(words, "--set", a)
	}
	words = append(words, "--versions", w.Version)
	if r.devices() || slices.Contains(info.Command, "--processor") {
		words = append(words, "--processor", string(w.Processor))
	}
	if r.modes() && w.PowerMode != "" {
		words = append(words, "--power-modes", w.PowerMode)
	}
	return strings.Join(quoted(words), " ")
}

// assignments returns the arguments of --set for the row alone: its values on the axes, and what else the run
// set.
func assignments(axes []plan.Axis, set []string, w *record.Row) []string {
	var list, names []string
	for _, a := range axes {
		name := strings.TrimLeft(a.Name, "-")
		v := w.Params.Get(name)
		if a.Tunable {
			v = w.Tunables.Get(name)
		}
		if v.IsSet() {
			list, names = append(list, name+"="+v.String()), append(names, name)
		}
	}
	for _, a := range set {
		if name, _, _ := strings.Cut(a, "="); !slices.Contains(names, name) {
			list = append(list, a)
		}
	}
	return list
}

var plainWord = lazy.Regexp(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted returns words as a shell takes them. The program itself goes by its name.
func quoted(words []string) []string {
	list := slices.Clone(words)
	for i, w := range list {
		if !plainWord().MatchString(w) {
			list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return list
}

// commandLine returns a command line as it was given, without the program's folder.
func commandLine(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Join(quoted(append([]string{filepath.Base(words[0])}, words[1:]...)), " ")
}
