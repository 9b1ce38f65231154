package figures

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "fill the pages' figures in from the published runs")

// A table is one of a page, below the first line that contains after. cells returns what the runs say of
// the cells of a row: a number, numbers, a text, or nil of what no run has.
type table struct {
	page, after string
	cells       func(t *testing.T, c, head []string) []any
}

// A sentence has # where a page has a number.
type sentence struct {
	page, text string
	values     func(t *testing.T) []float64
}

// run returns the points of a run that conditions hold for.
func run(t *testing.T, name string, conditions ...string) []Row {
	t.Helper()
	rows, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return Where(rows, strings.Join(conditions, " "))
}

// one returns the only such point.
func one(t *testing.T, name string, conditions ...string) Row {
	t.Helper()
	rows := run(t, name, conditions...)
	if len(rows) != 1 {
		t.Fatalf("results/%s has %d points of %q, want 1", name, len(rows), conditions)
	}
	return rows[0]
}

// least returns the point with the least in a column.
func least(t *testing.T, column, name string, conditions ...string) Row {
	t.Helper()
	rows := run(t, name, conditions...)
	if len(rows) == 0 {
		t.Fatalf("results/%s has no point of %q", name, conditions)
	}
	return slices.MinFunc(rows, func(a, b Row) int {
		if a.Num(column) < b.Num(column) {
			return -1
		}
		return 1
	})
}

// us and ms are the median time, hot that back to back in microseconds.
func (r Row) us() float64  { return 1e6 * r.Num("time_s") }
func (r Row) ms() float64  { return 1e3 * r.Num("time_s") }
func (r Row) hot() float64 { return 1e6 * r.Num("hot_time_s") }
func (r Row) mJ() float64  { return 1e3 * r.Num("energy_J") }

// half is the wider half of the median's interval, by the median.
func (r Row) half() float64 {
	at := r.Num("time_s")
	return max(r.Num("time_ci_high_s")-at, at-r.Num("time_ci_low_s")) / at
}

var blank = strings.NewReplacer("`", "", "*", "")

func trimmed(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.TrimSpace(blank.Replace(c))
	}
	return out
}

func TestTables(t *testing.T) {
	for _, x := range tables() {
		t.Run(x.page+" "+x.after, func(t *testing.T) {
			p, err := Open(x.page)
			if err != nil {
				t.Fatal(err)
			}
			at := p.Table(x.after)
			if at < 0 {
				t.Fatalf("%s: no table below %q", x.page, x.after)
			}
			head := trimmed(Cells(p.Lines[at]))
			checked := 0
			for i := at + 2; strings.HasPrefix(p.Lines[i], "|"); i++ {
				cells := Cells(p.Lines[i])
				for c, want := range x.cells(t, trimmed(cells), head) {
					var err error
					switch w := want.(type) {
					case nil:
						continue
					case string:
						if strings.TrimSpace(blank.Replace(cells[c])) != w {
							err = fmt.Errorf("%q, the run has %s", cells[c], w)
						}
					case float64:
						cells[c], err = Agree(cells[c], []float64{w})
					case []float64:
						cells[c], err = Agree(cells[c], w)
					}
					checked++
					if err != nil && !*update {
						t.Errorf("%s:%d: column %s: %v", x.page, i+1, head[c], err)
					}
				}
				p.Lines[i] = "|" + strings.Join(cells, "|") + "|"
			}
			if checked == 0 {
				t.Errorf("%s: nothing is checked below %q", x.page, x.after)
			}
			if *update {
				if err := p.Write(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestSentences(t *testing.T) {
	for _, x := range slices.Concat(sentences(), literatureSentences(), runSentences(), rateSentences()) {
		t.Run(x.page+" "+x.text, func(t *testing.T) {
			p, err := Open(x.page)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(p.Lines, "\n")
			pattern := strings.ReplaceAll(regexp.QuoteMeta(x.text), " ", `\s+`)
			at := regexp.MustCompile(strings.ReplaceAll(pattern, "#", `\d+(?:\.\d+)?`)).FindStringIndex(text)
			if at == nil {
				t.Fatalf("%s does not say %q", x.page, x.text)
			}
			// Numbers that are in the pattern's own words are no figures: they stay.
			values, fixed := x.values(t), number.FindAllString(x.text, -1)
			said := text[at[0]:at[1]]
			if len(fixed) > 0 {
				t.Fatalf("%q: numbers beside # are not told apart: %q", x.text, fixed)
			}
			filled, err := Agree(said, values)
			if err != nil && !*update {
				t.Errorf("%s: %v", x.page, err)
			}
			if *update {
				p.Lines = strings.Split(text[:at[0]]+filled+text[at[1]:], "\n")
				if err := p.Write(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestEveryTable: each table of README, docs and the pages of algorithms and results that has four
// decimal figures or more is checked, or is among those whose figures no published run holds.
func TestEveryTable(t *testing.T) {
	if *update {
		t.Skip("pages are being written")
	}
	known := map[string]bool{}
	mark := func(page, after string) {
		p, err := Open(page)
		if err != nil {
			t.Fatal(err)
		}
		at := p.Table(after)
		if at < 0 {
			t.Errorf("%s: no table below %q", page, after)
		}
		known[fmt.Sprint(page, at)] = true
	}
	for _, x := range tables() {
		mark(x.page, x.after)
	}
	for page, list := range unpublished {
		for after, why := range list {
			if why == "" {
				t.Errorf("%s, %q: nothing says why", page, after)
			}
			mark(page, after)
		}
	}
	pages := []string{"README.md", "results/README.md"}
	for _, pattern := range []string{"docs/*.md", "algorithms/*/README.md", "results/literature/embedded.md", "results/h200-tridiagonal-sizes/README.md", ratePage} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		for _, f := range found {
			name, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			if name == filepath.Join("docs", "json.md") || name == filepath.Join("docs", "csv.md") {
				continue // written from the code: their numbers are versions and units
			}
			pages = append(pages, filepath.ToSlash(name))
		}
	}
	decimal := regexp.MustCompile(`\d\.\d`)
	for _, name := range pages {
		p, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range p.Tables() {
			if p.Lines[at] == "| the source | here |" {
				continue // words, whose figures are sentences
			}
			figures := 0
			for i := at + 2; i < len(p.Lines) && strings.HasPrefix(p.Lines[i], "|"); i++ {
				figures += len(decimal.FindAllString(p.Lines[i], -1))
			}
			if figures >= 4 && !known[fmt.Sprint(name, at)] {
				t.Errorf("%s:%d: %d figures that nothing checks: %s", name, at+1, figures, p.Lines[at])
			}
		}
	}
}

func TestAgree(t *testing.T) {
	for _, c := range []struct {
		printed string
		values  []float64
		filled  string
		good    bool
	}{
		{" 1.25 ", []float64{1.2549}, " 1.25 ", true},
		{"1.25", []float64{1.256}, "1.26", false},
		{"97 %", []float64{96.5}, "97 %", true}, // a tie
		{"100,000", []float64{100, 0}, "100,000", true},
		{"97 %", []float64{96.4}, "96 %", false},
		{"4.42, 1.50", []float64{4.42, 1.61}, "4.42, 1.61", false},
		{"4.42", []float64{4.42, 1.61}, "4.42", false},
		{"-0.5", []float64{-0.52}, "-0.5", true},
	} {
		filled, err := Agree(c.printed, c.values)
		if filled != c.filled || (err == nil) != c.good {
			t.Errorf("%q, %v: %q, %v", c.printed, c.values, filled, err)
		}
	}
}
