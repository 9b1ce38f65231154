package report

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots/picture"
)

// runReader makes the section of a run.
type runReader struct {
	run     *record.Run
	sweep   *picture.Sweep
	names   picture.Names
	rows    map[int]int // the index of each point
	folder  string      // its short name
	samples *record.Samples
	power   map[int][]record.PowerSample
	// explained are more facts of rows that are explained.
	explained map[int][]Fact
}

// readRun returns the section of the results folder dir, which name names.
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
	r := &runReader{run: run, sweep: picture.NewSweep(run), names: picture.NamesOf(run), rows: map[int]int{}, folder: name, samples: samples, power: map[int][]record.PowerSample{}, explained: map[int][]Fact{}}
	for _, s := range readings {
		r.power[s.Point] = append(r.power[s.Point], s)
	}
	for i := range run.Rows {
		r.rows[run.Rows[i].Point] = i
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
	parts := [][]Figure{r.overSweep(), r.rooflines(), r.energies(), r.stages(), r.traces()}
	if r.modes() { // power modes trade time for energy
		parts[0], parts[2] = parts[2], parts[0]
	}
	s.Figures = slices.Concat(parts...)
	s.Tables = append(s.Tables, fastest...)
	if why != nil {
		if err := r.explain(s, why, dir); err != nil {
			return nil, nil, err
		}
	}
	s.Tables = append(s.Tables, r.table())
	return s, &compare.Run{Run: run, Samples: samples}, nil
}

// said returns a finding as the first sentence of a verdict; none if there is no finding.
func said(f compare.Finding) []string {
	if f.Text == "" {
		return nil
	}
	return []string{f.Text + "."} // it may begin with a name
}

// warnings returns the run's warnings, and what of it is not sure.
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

const (
	hollowMarks = "Hollow marks: known less well than asked, or in doubt for the reasons in the table."
	crosses     = "Crosses at the edge: wrong, failed or timeout."
)

// shortNames returns the ends of the paths that tell each from the others, at least a name with a letter.
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
