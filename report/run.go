package report

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"bench/framework/compare"
	"bench/framework/record"
	"bench/terminal"
)

// runReader makes the section of a run.
type runReader struct {
	*sweep
	folder  string // its short name
	samples *record.Samples
	power   map[int][]record.PowerSample
	// explained are more facts of rows, where these are explained.
	explained map[int][]Fact
}

// readRun is the section of the results folder dir, which name names.
func readRun(dir, name string, why Explainer) (*Section, *compare.Run, error) {
	run, err := record.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	samples, err := record.ReadSamples(dir, run)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	readings, err := record.ReadPowerSamples(dir, run)
	if err != nil {
		return nil, nil, err
	}
	r := &runReader{sweep: newSweep(run), folder: name, samples: samples, power: map[int][]record.PowerSample{}, explained: map[int][]Fact{}}
	for _, s := range readings {
		r.power[s.Point] = append(r.power[s.Point], s)
	}
	kind := "run"
	if run.Info.Source != "" {
		kind = "published figures"
	}
	s := &Section{Title: name, Kind: kind, Where: where(run.Info), Warnings: warnings(run), Facts: surroundings(run.Info)}
	if len(run.Rows) == 0 {
		s.Verdict = []string{"There are no points."}
		return s, &compare.Run{Run: run, Samples: samples}, nil
	}
	fastest, sentences, err := r.fastest(samples, why)
	if err != nil {
		return nil, nil, err
	}
	s.Verdict = append(said(compare.OfRun(compare.Run{Name: name, Run: run, Samples: samples})), sentences...)
	s.Verdict = append(s.Verdict, r.best()...)
	s.Verdict = append(s.Verdict, r.failures()...)
	s.made = func(yield func(Point) bool) {
		for i := range run.Rows {
			p := r.point(&run.Rows[i])
			if p.Facts = append(p.Facts, r.explained[i]...); !yield(p) {
				return
			}
		}
	}
	for i := range run.Rows {
		s.Failed = s.Failed || run.Rows[i].Failed()
	}
	parts := [][]Figure{r.overSweep(), r.rooflines(), r.energies(), r.traces()}
	if r.mode { // power modes trade time for energy
		parts[0], parts[2] = parts[2], parts[0]
	}
	s.Figures = slices.Concat(parts...)
	s.Tables = append(s.Tables, fastest...)
	if why != nil {
		if err := r.explain(s, why); err != nil {
			return nil, nil, err
		}
	}
	s.Tables = append(s.Tables, r.table())
	return s, &compare.Run{Run: run, Samples: samples}, nil
}

// said is a finding as the first sentence of a verdict; nothing where there is none.
func said(f compare.Finding) []string {
	if f.Text == "" {
		return nil
	}
	return []string{f.Text + "."} // it may begin with a name
}

// warnings are the run's, with what of it is not sure.
func warnings(run *record.Run) []string {
	list := append([]string(nil), run.Info.Warnings...)
	open, doubtful, floor := 0, 0, 0
	for i := range run.Rows {
		w := &run.Rows[i]
		if w.Time.Converged == "false" {
			open++
		}
		if w.Time.Doubtful() {
			doubtful++
		}
		if w.NearFloor() {
			floor++
		}
	}
	say := func(n int, what string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("%d of %s %s", n, terminal.Count(len(run.Rows), "point"), what))
		}
	}
	say(open, "did not converge: their medians are not known as well as the config asks")
	say(doubtful, "have a median that is not known within 5 %, or whose level moved by more (hollow marks)")
	say(floor, "have times below ten times the event floor: what two events with nothing between them take is part of these")
	for _, w := range run.Rows {
		if len(list) > 0 || w.Time.Median.IsSet() || w.Rate.Get().IsSet() {
			return list
		}
	}
	return append(list, "nothing was timed")
}

// quantity is what a figure over the sweep shows.
type quantity struct {
	title, unit string
	value       func(*record.Row) record.Number
	low, high   func(*record.Row) record.Number
	factor      float64 // from the CSV's unit to the figure's
	log         bool    // always; else where the values span a decade
	limit       func(record.Ceilings) []ceiling
	doubtful    func(*record.Row) bool
	note        string
}

type ceiling struct {
	name  string
	value float64
}

const (
	hollowTime    = "Hollow marks: the median is not known within 5 %, or did not converge, or others used the GPU."
	interval95    = "Error bars are 95 % intervals. " + hollowTime
	intervalPower = "Error bars are 95 % intervals if the same sensor measured again, without its calibration. Hollow marks: in doubt, for the reasons in the table."
	crosses       = "Crosses at the edge: wrong, failed or timeout."
)

func hollow(w *record.Row) bool { return w.HollowTime() }

// peerSpeed is the speed of versions beside the fastest peer; none where there is no peer.
func peerSpeed(run *record.Run) []quantity {
	p := run.PeerSpeeds()
	if p == nil {
		return nil
	}
	return []quantity{{title: "speed relative to " + strings.Join(p.Peers, " or "), factor: 1, value: p.Of, low: p.Low, high: p.High, doubtful: p.Hollow,
		note:  "The fastest peer's median time at the same problem by the version's. " + interval95,
		limit: func(record.Ceilings) []ceiling { return []ceiling{{"as fast as the peer", 1}} }}}
}

func quantities() []quantity {
	headline := func(w *record.Row) *record.Statistics { return &w.Time }
	hot := func(w *record.Row) *record.Statistics { s := w.Hot.Get(); return &s }
	times := func(title string, of func(*record.Row) *record.Statistics) quantity {
		return quantity{title: title, unit: "s", factor: 1, log: true, note: interval95, doubtful: func(w *record.Row) bool { return of(w).Hollow() || w.Shared() != "" },
			value: func(w *record.Row) record.Number { return of(w).Median },
			low:   func(w *record.Row) record.Number { return of(w).Low },
			high:  func(w *record.Row) record.Number { return of(w).High }}
	}
	latency := func(title string, of func(record.Rate) [3]record.Number) quantity {
		return quantity{title: title, unit: "s", factor: 1, log: true, note: "Error bars are 95 % intervals, where samples bound them on both sides.",
			value: func(w *record.Row) record.Number { return of(w.Rate.Get())[0] },
			low:   func(w *record.Row) record.Number { return of(w.Rate.Get())[1] },
			high:  func(w *record.Row) record.Number { return of(w.Rate.Get())[2] }}
	}
	return []quantity{
		times("time of one run", headline),
		times("time of one run, caches hot", hot),
		latency("99th percentile of the latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P99, r.P99Low, r.P99High} }),
		latency("median latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P50, r.P50Low, r.P50High} }),
		latency("99.9th percentile of the latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P999, r.P999Low, r.P999High} }),
		{title: "rate of operations", unit: "FLOP/s", factor: 1e9, value: func(w *record.Row) record.Number { return w.Work.GFLOPPerS }, doubtful: hollow,
			note: "Nominal operations, the same for every version, by the median time. " + hollowTime},
		{title: "rate of executed operations", unit: "FLOP/s", factor: 1e9, value: func(w *record.Row) record.Number { return w.Work.Executed }, doubtful: hollow,
			note: "Operations that each version executes, as counted by hand, by the median time: how busy it keeps the device, and not how soon it is done. " + hollowTime},
		{title: "rate of bytes", unit: "B/s", factor: 1e9, value: func(w *record.Row) record.Number { return w.Memory.GBytePerS }, doubtful: hollow,
			note: "Nominal bytes by the median time; the line is the measured copy ceiling. " + hollowTime,
			limit: func(c record.Ceilings) []ceiling {
				return []ceiling{{"measured copy", c.Copy}}
			}},
		{title: "rate of loads and stores", unit: "B/s", factor: 1e9, value: func(w *record.Row) record.Number { return w.Memory.Accessed }, doubtful: hollow,
			note: "Bytes that each version loads and stores, as counted by hand, caches included, by the median time. " + hollowTime},
		{title: "executed operations per joule", unit: "FLOP/J", factor: 1e9, value: func(w *record.Row) record.Number { return w.Power.Get().Executed }, doubtful: (*record.Row).HollowPower,
			note: "Operations that each version executes, by the energy of one run."},
		{title: "loads and stores per joule", unit: "B/J", factor: 1e9, value: func(w *record.Row) record.Number { return w.Power.Get().Accessed }, doubtful: (*record.Row).HollowPower,
			note: "Bytes that each version loads and stores, by the energy of one run."},
		{title: "mean power", unit: "W", factor: 1, value: func(w *record.Row) record.Number { return w.Power.Get().Total }, doubtful: (*record.Row).HollowPower,
			low: func(w *record.Row) record.Number { return around(w.Power.Get().Total, w.Power.Get().Uncertainty, -1) },
			high: func(w *record.Row) record.Number {
				return around(w.Power.Get().Total, w.Power.Get().Uncertainty, 1)
			}, note: intervalPower},
		energyOfRun(),
	}
}

func energyOfRun() quantity {
	return quantity{title: "energy of one run", unit: "J", factor: 1, value: func(w *record.Row) record.Number { return w.Energy.Get().Total },
		low:  func(w *record.Row) record.Number { return around(w.Energy.Get().Total, w.Energy.Get().Uncertainty, -1) },
		high: func(w *record.Row) record.Number { return around(w.Energy.Get().Total, w.Energy.Get().Uncertainty, 1) },
		log:  true, doubtful: (*record.Row).HollowPower, note: intervalPower}
}

// around is one end of an interval; not set where its half is not known.
func around(x, half record.Number, side float64) record.Number {
	if !x.IsSet() || !half.IsSet() {
		return record.Number{}
	}
	return record.Measured(x.Float() + side*half.Float())
}

// shortNames are the ends of the paths that no other of them has, at least a name with
// a letter.
func shortNames(paths []string) []string {
	names := make([]string, len(paths))
	for i := range paths {
		names[i] = shortName(paths, i)
	}
	return names
}

func shortName(paths []string, at int) string {
	rest, name := filepath.Clean(paths[at]), ""
	for rest != "." && rest != string(filepath.Separator) {
		name = filepath.ToSlash(filepath.Join(filepath.Base(rest), name))
		rest = filepath.Dir(rest)
		same := 0
		for _, p := range paths {
			p = filepath.ToSlash(filepath.Clean(p))
			if p == name || len(p) > len(name) && p[len(p)-len(name)-1:] == "/"+name {
				same++
			}
		}
		if same < 2 && strings.IndexFunc(name, unicode.IsLetter) >= 0 {
			return name
		}
	}
	return filepath.ToSlash(filepath.Clean(paths[at]))
}
