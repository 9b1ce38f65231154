package report

import (
	"bytes"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/test/published"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
)

// limit is what a page may have beside its data.
const limit = 1 << 20

func page(t *testing.T, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSize(t *testing.T) {
	if n := len(page(t, &Document{})); n > limit {
		t.Errorf("a page without data has %d bytes, more than %d", n, limit)
	}
}

// TestTextsStayData holds that no text of a result ends the element that it is in.
func TestTextsStayData(t *testing.T) {
	text := page(t, &Document{Title: `</title><script>1</script>`, Made: `</script><script>2</script>`, Sections: []Section{{Verdict: []string{"<!-- <script> \u2028"}}}})
	for _, part := range []string{"<script>1", "</title><script", "<script>2", "<!-- <script>", "\u2028"} {
		if strings.Contains(text, part) {
			t.Errorf("the page holds %q as it is", part)
		}
	}
	if n := strings.Count(text, "<script>"); n != 2 {
		t.Errorf("the page has %d scripts, want its own two", n)
	}
}

func TestReals(t *testing.T) {
	got, err := Reals{8388608, 0.123456789, math.NaN(), math.Inf(1), 0, 1e300, 2.5e-7}.MarshalJSON()
	if want := `[8388608,0.123457,null,null,0,1e+300,2.5e-07]`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestShortNames(t *testing.T) {
	got := shortNames([]string{"results/a/fft", "results/b/fft/", "results/scan", "results/energy/1"})
	if want := "a/fft b/fft scan energy/1"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

// TestMistakes: one line that says what is wrong, where, and what would be right.
func TestMistakes(t *testing.T) {
	empty := t.TempDir()
	other := filepath.Join(empty, "other.json")
	if err := os.WriteFile(other, []byte(`{"by":"run"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(empty, "broken.json")
	if err := os.WriteFile(broken, []byte(`{"by":"run","tables":[{"cells":[{"point":7}]}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const fft = "../results/h200-fft-peers"
	for want, paths := range map[string][]string{
		"no such file":                       {filepath.Join(empty, "none")},
		"holds no results; want a folder":    {filepath.Join(empty, "..", filepath.Base(empty))},
		"such as ../results/h100-fft-peers/": {"../results/h100-fft-peers"},
		"is no file of results":              {other},
		"given twice":                        {fft, fft + "/"},
	} {
		_, err := Read(paths, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q in one line", paths, err, want)
		}
	}
	if _, err := Read([]string{broken}, Options{}); err == nil {
		t.Error("a comparison whose cell is of no point is read")
	}
}

// TestPublished reads every published run, and says something of each.
func TestPublished(t *testing.T) {
	runs, err := published.Folders("..", record.InfoFile, search.ReportFile, experiment.TurnsFile, replay.SummaryFile)
	if err != nil || len(runs) < 250 {
		t.Fatal(len(runs), err)
	}
	for _, r := range runs {
		if n, err := strconv.Atoi(path.Base(published.Name("..", r))); err == nil && n > 0 {
			continue // one of many of its config
		}
		d, err := Read([]string{r}, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		s := d.Sections[0]
		run, err := record.Read(r)
		timed := err != nil || slices.ContainsFunc(run.Rows, func(w record.Row) bool { return w.Time.Median.IsSet() }) // not a publication's counts or tunables alone
		if timed && len(s.Verdict) == 0 || len(s.Facts) == 0 && !has(replay.SummaryFile)(r) || len(s.Tables) == 0 {
			t.Errorf("%s: %d sentences, %d facts, %d tables", r, len(s.Verdict), len(s.Facts), len(s.Tables))
		}
		for _, f := range s.Figures {
			for _, x := range f.Series {
				if len(x.X) != len(x.Y) || x.Low != nil && len(x.Low) != len(x.X) || x.Point != nil && len(x.Point) != len(x.X) {
					t.Errorf("%s: %s: %s has columns of different lengths", r, f.Title, x.Name)
				}
			}
		}
		if err == nil && timed && len(run.Rows) > 1 && len(s.Figures) == 0 && !strings.Contains(r, "strided") {
			t.Errorf("%s has no figure", r)
		}
	}
}

// TestExecutedRates: what each version executes, loads and stores has charts of its own, by time and by
// energy: at 2048 rows v2 of bicubic interpolation executes 14.1 TFLOP/s, v1 6.9, and 20.3 and 14.6 GFLOP/J.
func TestExecutedRates(t *testing.T) {
	d, err := Read([]string{"../results/h200-bicubic-literature.zip"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]float64{
		"executed operations": {6.866e12, 14.112e12}, "loads and stores": {3.2944e12, 2.1976e12},
		"executed per joule": {14.576e9, 20.263e9}, "loads and stores per joule": {6.993e9, 3.1554e9},
	}
	for _, f := range d.Sections[0].Figures {
		title, hermite := strings.CutSuffix(f.Title, ": hermite")
		values, ok := want[title]
		if !ok || !hermite {
			continue
		}
		delete(want, title)
		for i, name := range []string{"v1", "v2"} {
			for _, x := range f.Series {
				if x.Name == name && math.Abs(x.Y[len(x.Y)-1]/values[i]-1) > 2e-3 {
					t.Errorf("%s: %s %v, want %v", f.Title, name, x.Y[len(x.Y)-1], values[i])
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no figures of %v", want)
	}
}
