package plots_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
	"example.org/bench/report"
	"example.org/bench/test/published"
)

// Of every published run the report's page shows what the files show: the same lines, ticks, marks of doubt and failures.
func TestReportShowsTheSame(t *testing.T) {
	folders, err := published.Folders("..", record.InfoFile)
	if err != nil || len(folders) < 200 {
		t.Fatal(len(folders), err)
	}
	compared, beside := 0, map[string]int{}
	for _, dir := range folders {
		if strings.Contains(published.Name("..", dir), "/") && !strings.Contains(dir, "stages") {
			continue // hundreds of a few configs
		}
		run, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		d, err := report.Read([]string{dir}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		onPage := map[string]report.Figure{}
		for _, f := range d.Sections[0].Figures {
			onPage[f.Title] = f
		}
		s := picture.NewSweep(run)
		for _, q := range picture.BothRates(run) {
			charts := s.Charts(q)
			for _, c := range charts {
				title := c.Title
				if to := run.Info.RelativeTo; to != "" && c.Unit == "s" {
					title += " relative to " + to
				}
				if len(charts) > 1 {
					title += ": " + c.Panel
				}
				f, ok := onPage[title]
				if !ok {
					t.Errorf("%s: the page lacks %s", dir, title)
					continue
				}
				compared++
				sameAsDrawn(t, dir+": "+title, s, c, f)
			}
		}
		for beginning, drawn := range plots.DrawnBeside(run) {
			var page []report.Figure
			for _, f := range d.Sections[0].Figures {
				if strings.HasPrefix(f.Title, beginning) {
					page = append(page, f)
				}
			}
			if len(page) != len(drawn) {
				t.Errorf("%s: the page has %d figures of %s, the files %d", dir, len(page), beginning, len(drawn))
				continue
			}
			for i, f := range drawn {
				sameMarks(t, dir+": "+f.Title, f, page[i])
			}
			beside[beginning] += len(drawn)
		}
	}
	for beginning, least := range map[string]int{"roofline": 25, "time and energy of one run": 100, "share of each kernel": 1} {
		if beside[beginning] < least {
			t.Errorf("%d figures of %s compared, want %d", beside[beginning], beginning, least)
		}
	}
	if compared < 200 {
		t.Errorf("%d figures compared", compared)
	}
}

func sameAsDrawn(t *testing.T, what string, s *picture.Sweep, c picture.Chart, page report.Figure) {
	t.Helper()
	words, named := plots.DrawnWords(s, c)
	ticks := page.Y.Drawn
	if c.Bars {
		ticks = page.X.Drawn
	} else if n := len(page.X.Drawn.Texts); n > 0 && !plots.Written(words, page.X.Drawn.Texts[0]) {
		t.Errorf("%s: the abscissa begins at %s on the page; drawn are %q", what, page.X.Drawn.Texts[0], words)
	}
	for _, text := range ticks.Texts {
		if !plots.Written(words, text) {
			t.Errorf("%s: the page has a tick at %s; drawn are %q", what, text, words)
		}
	}
	var shown []string
	named = append(named, words...)
	failed, faults, hollow, doubtful := 0, 0, 0, 0
	at := map[string][]picture.Point{} // of the file, by the page's names
	for _, l := range c.Lines {
		for _, p := range l.Points {
			name := l.Name
			if p.Apart {
				name += " (highest)"
			}
			at[name] = append(at[name], p)
		}
	}
	for _, s := range page.Series {
		failed, hollow = failed+len(s.Failed), hollow+len(s.Doubtful)
		if shown = append(shown, s.Name); s.Mark == report.MarkLimit || c.Bars {
			continue
		}
		if name := strings.TrimSuffix(s.Name, " (highest)"); !slices.Contains(named, name) && !slices.Contains(named, name+" (peer)") {
			t.Errorf("%s: the page has %s; drawn are %q", what, name, named)
		}
		if len(at[s.Name]) != len(s.X) {
			t.Errorf("%s: %s has %d points on the page, %d in the file", what, s.Name, len(s.X), len(at[s.Name]))
			continue
		}
		for j, p := range at[s.Name] {
			if s.X[j] != p.X || s.Y[j] != p.Y && p.Y == p.Y { // NaN has no place
				t.Errorf("%s: %s is at %v, %v on the page, at %v, %v in the file", what, s.Name, s.X[j], s.Y[j], p.X, p.Y)
			}
		}
	}
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if p.Fault {
				faults++
			}
			if p.Doubtful {
				doubtful++
			}
		}
	}
	for _, l := range c.Limits {
		if !slices.Contains(shown, l.Name) {
			t.Errorf("%s: the page lacks %s", what, l.Name)
		}
	}
	if failed != faults || hollow != doubtful || strings.Contains(page.Note, "Hollow") != slices.Contains(named, plots.HollowWords) {
		t.Errorf("%s: the page has %d failed and %d in doubt, the file %d and %d; %s", what, failed, hollow, faults, doubtful, page.Note)
	}
}
