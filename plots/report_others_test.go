package plots_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/command/figures"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/plots"
	"example.org/bench/report"
	"example.org/bench/test/published"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
)

// TestReportShowsTheSameOfOthers: of every published search, replay and pair in turns, and of the comparison of every
// published run's versions, the page has each figure that bench plot draws, with the same ticks, series and marks.
func TestReportShowsTheSameOfOthers(t *testing.T) {
	paths, err := published.Folders("..", search.ReportFile, replay.SummaryFile, experiment.TurnsFile)
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, comparedRuns(t)...)
	kinds := map[string]int{}
	for _, path := range paths {
		drawn, err := figures.Of(path)
		if err != nil {
			if strings.Contains(err.Error(), "nothing in it was measured") {
				continue
			}
			t.Fatal(path, err)
		}
		d, err := report.Read([]string{path}, report.Options{})
		if err != nil {
			t.Fatal(path, err)
		}
		page := map[string]report.Figure{}
		for _, f := range d.Sections[0].Figures {
			page[strings.TrimPrefix(f.Title, "convergence: ")] = f
		}
		for _, f := range plots.DrawnOf(drawn) {
			on, ok := page[f.Title]
			if !ok {
				t.Errorf("%s: the page lacks %q", path, f.Title)
				continue
			}
			kinds[d.Sections[0].Kind]++
			sameMarks(t, path+": "+f.Title, f, on)
		}
	}
	for kind, least := range map[string]int{"search": 60, "replay": 10, "two versions in turns": 2, "comparison by version": 20} {
		if kinds[kind] < least {
			t.Errorf("%d figures of kind %s, want %d", kinds[kind], kind, least)
		}
	}
}

// comparedRuns are files of comparisons of published runs, each by version.
func comparedRuns(t *testing.T) (paths []string) {
	t.Helper()
	folders, err := published.Folders("..", "run.json")
	if err != nil {
		t.Fatal(err)
	}
	into := t.TempDir()
	for _, dir := range folders {
		name := published.Name("..", dir)
		if strings.Contains(name, "/") {
			continue // one of a series
		}
		run, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		c, err := compare.New([]compare.Run{{Name: name, Run: run}}, compare.Options{By: compare.ByVersion})
		if err != nil { // one version, say
			continue
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(into, name+".json")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// sameMarks holds a figure of the page against the drawn one: texts of ticks, names of series, and how many marks there are.
func sameMarks(t *testing.T, what string, drawn plots.Drawn, page report.Figure) {
	t.Helper()
	for _, a := range []report.Axis{page.X, page.Y} {
		if a.Drawn == nil {
			continue
		}
		for i, text := range a.Drawn.Texts {
			if !plots.Written(drawn.Words, text) && (i == 0 || i == len(a.Drawn.Texts)-1) { // others give way to their neighbours
				t.Errorf("%s: the page has a tick at %s; drawn are %q", what, text, drawn.Words)
			}
		}
		if !slices.Contains(drawn.Words, a.Drawn.Label) && page.Y.Drawn != a.Drawn { // a vertical label is no word
			t.Errorf("%s: the page's axis is %q; drawn are %q", what, a.Drawn.Label, drawn.Words)
		}
	}
	marks, points := 0, 0
	named := slices.Concat(drawn.Legend, drawn.Words)
	for _, s := range page.Series {
		if s.Mark != report.MarkLimit && s.Mark != report.MarkStep {
			marks += len(s.X)
		}
		if s.Mark != report.MarkLimit && !strings.HasSuffix(s.Name, "front: no other beats both") {
			points += len(s.X)
		}
		if s.Mark == report.MarkStep && strings.HasSuffix(s.Name, ", front: no other beats both") || s.Name == "baseline" {
			continue // of a point that is named where there is room; the line at 1
		}
		if strings.HasPrefix(s.Name, "measured ") && slices.Contains(named, "measured ceiling") {
			continue // whose own name stands along its line
		}
		if len(s.X) > 0 && !slices.Contains(named, s.Name) && !strings.HasSuffix(s.Name, ", front: no other beats both") {
			t.Errorf("%s: the page has %q; drawn are %q", what, s.Name, drawn.Legend)
		}
	}
	for _, row := range page.Shares {
		points += len(row)
		for _, share := range row {
			if share != 0 {
				marks++
			}
		}
	}
	if points != drawn.Points {
		t.Errorf("%s: the page has %d values, the file %d", what, points, drawn.Points)
	}
	if drawn.Marks < marks {
		t.Errorf("%s: %d marks are drawn, the page has %d", what, drawn.Marks, marks)
	}
	hollow := slices.ContainsFunc(page.Series, func(s report.Series) bool { return len(s.Doubtful) > 0 })
	if words := slices.ContainsFunc(drawn.Legend, func(text string) bool { return strings.HasPrefix(text, "hollow") }); hollow != words {
		t.Errorf("%s: hollow marks on the page: %v, in the file: %v", what, hollow, words)
	}
}
