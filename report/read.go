package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/history"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
)

// Options say what a report contains.
type Options struct {
	Title string // empty: the sources' names
	Made  string // program that makes it
	// Why explains points and differences of a GPU's times; nil: nothing is explained.
	Why Explainer
}

// kind is a kind of results that a path may hold.
type kind struct {
	what  string // in words, for messages
	holds func(path string) bool
	read  func(path, name string) (*Section, error)
}

func has(file string) func(string) bool {
	return func(path string) bool {
		info, err := bounded.Stat(filepath.Join(path, file))
		return err == nil && info.Mode().IsRegular()
	}
}

// Read makes a report of what the paths hold. Errors are the caller's mistakes.
func Read(paths []string, o Options) (*Document, error) {
	names := shortNames(paths)
	d := &Document{Title: o.Title, Made: o.Made}
	if d.Title == "" {
		d.Title = "bench report: " + brief(names)
	}
	for i, path := range paths {
		if at := slices.IndexFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }); at >= 0 {
			return nil, fmt.Errorf("%s is given twice", path)
		}
	}
	var runs []compare.Run
	for i, path := range paths {
		s, run, err := section(path, names[i], o.Why)
		if err != nil {
			return nil, err
		}
		if run != nil {
			d.part = d.part || run.Unfinished() != ""
			run.Name = path
			runs = append(runs, *run)
		}
		d.Sections = append(d.Sections, *s)
	}
	if len(runs) > 1 {
		s, err := acrossRuns(runs, o.Why)
		if err != nil {
			return nil, err
		}
		if s != nil {
			d.Sections = append([]Section{*s}, d.Sections...)
		}
	}
	return d, nil
}

// brief names the first sources and counts the others.
func brief(names []string) string {
	const named = 3
	text := strings.Join(names[:min(named, len(names))], ", ")
	if more := len(names) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// section returns the section of a path's content, and the run if it is one.
func section(path, name string, why Explainer) (*Section, *compare.Run, error) {
	info, err := bounded.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	kinds := fileKinds
	if info.IsDir() {
		if has(record.InfoFile)(path) || has(record.JournalFile)(path) && !has(search.ReportFile)(path) {
			return readRun(path, name, why)
		}
		kinds = folderKinds
	}
	for _, k := range kinds {
		if k.holds(path) {
			s, err := k.read(path, name)
			return s, nil, err
		}
	}
	var known []string
	for _, k := range kinds {
		known = append(known, k.what)
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s is no file of results that bench report reads; want %s, or a results folder", path, strings.Join(known, " or "))
	}
	hint := ""
	if below := below(path); below != "" {
		hint = fmt.Sprintf(", such as %s below it", terminal.OneLine(below))
	}
	return nil, nil, fmt.Errorf("%s holds no results; want a folder with run.json (a run), %s%s", path, strings.Join(known, ", "), hint)
}

// below returns the first folder under one that holds results.
func below(dir string) string {
	for _, name := range bounded.Names(dir) {
		path := filepath.Dir(name)
		if has(record.InfoFile)(path) || slices.ContainsFunc(folderKinds, func(k kind) bool { return k.holds(path) }) {
			return path
		}
	}
	return ""
}

// fileKinds and folderKinds are the kinds of results other than runs.
var (
	folderKinds = []kind{
		{"ab.json (bench ab)", has(experiment.TurnsFile), readTurns},
		{"tune.json (bench tune)", has(search.ReportFile), readSearch},
		{"replay.csv (bench replay)", has(replay.SummaryFile), readReplay},
	}
	fileKinds = []kind{
		{"what bench compare --json printed", compare.IsFile, comparisonSection},
		{"a recorded space, .csv or .csv.gz", isSpace, readSpace},
		{"a history (bench history)", history.IsFile, readHistory},
	}
)
