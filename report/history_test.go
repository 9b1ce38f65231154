package report

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/history/historytest"
)

// A history is a section with its verdict, a figure for each series with the levels, and
// its changes.
func TestHistory(t *testing.T) {
	path := historytest.Grow(t, 40, historytest.Outlier(15, 2, historytest.Step(32, 1.2)))
	d, err := Read([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := d.Sections[0]
	if s.Kind != "history" || len(s.Verdict) != 2 || s.Verdict[0] != "40 runs, 1 series: worse." || !strings.Contains(s.Verdict[1], "from r32 on (between r31 and r32)") {
		t.Errorf("%s %q", s.Kind, s.Verdict)
	}
	if len(s.Figures) != 1 || len(s.Figures[0].Series) != 3 {
		t.Fatalf("%+v", s.Figures)
	}
	runs, other, levels := s.Figures[0].Series[0], s.Figures[0].Series[1], s.Figures[0].Series[2]
	if len(runs.X) != 35 || runs.X[0] != 6 || !slices.Equal(runs.Doubtful, []int{10}) || runs.Label[10] != "r15" || len(other.X) != 5 || !slices.Equal(levels.X, Reals{6, 32, 33, 33, 40}) {
		t.Errorf("%+v\n%+v\n%+v", runs, other, levels)
	}
	if len(s.Tables) != 2 || len(s.Tables[1].Rows) != 1 || s.Tables[1].Rows[0][3] != "r32" {
		t.Errorf("%+v", s.Tables)
	}
}
