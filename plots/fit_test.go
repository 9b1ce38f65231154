package plots

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// Names of a sweep differ at their ends and in numbers between them: neither
// is cut off, whatever the number of lines.
func TestFitKeepsWhatTellsNamesApart(t *testing.T) {
	style := textStyle(10, ink)
	names := func(form string) (all []string) {
		for version := range 4 {
			for n := 1; n <= 6; n++ {
				all = append(all, fmt.Sprintf(form, version, n))
			}
		}
		return all
	}
	for _, form := range []string{
		"host_version_with_long_name_%d, a_rather_long_parameter_name %d",
		"host_version_with_long_name_%d a_rather_long_parameter_name_without_any_space_%d",
		"version %d" + strings.Repeat(", x 1", 40) + ", last %d",
		strings.Repeat("name_without_any_space_", 12) + "_%d-%d",
	} {
		for lines := 1; lines <= 3; lines++ {
			seen := map[string]bool{}
			for _, name := range names(form) {
				got := fit(style, name, 200, lines)
				if len(got) > lines {
					t.Errorf("%d lines of %q, want %d", len(got), name, lines)
				}
				for _, line := range got {
					if style.Width(line) > 200 {
						t.Errorf("%q is %v wide, want at most 200", line, style.Width(line))
					}
				}
				text := strings.Join(got, "\n")
				if seen[text] {
					t.Errorf("two names are cut to %q", text)
				}
				seen[text] = true
			}
		}
	}
	for name, want := range map[string]string{"": "", "stockham, N 1024": "stockham, N 1024", "stockham and others": "stockham and\nothers"} {
		if got := strings.Join(fit(style, name, style.Width("stockham, N 1024"), 2), "\n"); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

// longNames is 4 versions at 6 values of a parameter, both with long names.
func longNames() *record.Run {
	const parameter = "a_rather_long_parameter_name"
	s := newSynthetic()
	for version := range 4 {
		for n := range int64(6) {
			for _, mode := range []int64{1, 2} {
				s.add(fmt.Sprintf("host_version_with_long_name_%d", version), 1<<(6+n), 0.9-0.1*float64(version)-0.05*float64(n), func(r *record.Result) {
					r.Point.Params["N"] = framework.IntValue(64 * mode)
					r.Point.Params[parameter] = framework.IntValue(n + 1)
					r.Point.ParamOrder = []string{"N", parameter, "precision", "direction"}
				})
			}
		}
	}
	return s.run(plan.Axis{Name: "N", Count: 2}, plan.Axis{Name: parameter, Count: 6})
}

// Every line of a legend with long names can be told from the others.
func TestLegendOfLongNames(t *testing.T) {
	for _, f := range figures(longNames()) {
		if f.name != "roofline" {
			continue
		}
		entries := f.page.content.legend()
		seen := map[string]bool{}
		for _, e := range entries {
			seen[strings.Join(e.lines(Screen.width-2*margin), " ")] = true
		}
		for _, e := range entries {
			if !seen[e.text] {
				t.Errorf("the legend does not say %q but %v", e.text, seen)
			}
		}
		if b, _, _ := recorded(f.page); len(entries) != 25 || b.legend.Min.Y < 0 {
			t.Errorf("%d entries in %v", len(entries), b.legend)
		}
		return
	}
	t.Error("no roofline")
}

// The rows of turns show in full what differs; what they share is in the note.
func TestTurnsOfManyPoints(t *testing.T) {
	x, err := compare.TurnsOf([]float64{0.998, 1.001, 1.003, 0.999}, []float64{1.049, 1.052, 1.051, 1.047}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := inTurns("stockham", "stockham-shared-memory", x, []int64{1024, 4096})
	dir := t.TempDir()
	if _, err := Screen.Write(Turns(all), safefiletest.Hold(t, dir)); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(texts(t, filepath.Join(dir, Folder, "ab.svg")), "\n", " ")
	for _, want := range []string{"fft; 4 repeats", "N 1024, batch_elements 256: stockham by itself", "N 4096, batch_elements 64: stockham-shared-memory / stockham"} {
		if !strings.Contains(text, want) {
			t.Errorf("the figure lacks %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "fft") != 1 {
		t.Errorf("the algorithm is said more than once:\n%s", text)
	}
}

// A long note or name makes the page larger; it takes no room from the data.
func TestLongTextsGetLines(t *testing.T) {
	long := figures(runs()["single"])[0].page
	short := long
	long.note = strings.Repeat(long.note+", ", 2)
	a, _, _ := recorded(short)
	b, all, _ := recorded(long)
	if d := a.data.Size().Y - b.data.Size().Y; d > vg.Length(0.1) || d < -0.1 {
		t.Errorf("a note of two lines changes the data's height by %v", d)
	}
	if got := all[1].text + " " + all[2].text; strings.TrimSpace(long.note) != got {
		t.Errorf("the note is %q, want %q", got, long.note)
	}
}
