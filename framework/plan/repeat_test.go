package plan

import (
	"fmt"
	"slices"
	"testing"
)

// TestRepeat: rounds of all points within each power mode; a point that is skipped
// is so once.
func TestRepeat(t *testing.T) {
	p := Plan{Points: []Point{{Version: "a"}, {Version: "b", ID: 1, Skip: "no"}, {Version: "c", ID: 2}}}
	p.InModes([]string{"low", "high"}, func(string) string { return "" })
	once := slices.Clone(p.Points)
	p.Repeat(1)
	if fmt.Sprint(p.Points) != fmt.Sprint(once) {
		t.Errorf("one instance: %v", p.Points)
	}
	p.Repeat(2)
	var got []string
	keys := map[string]bool{}
	for _, x := range p.Points {
		got = append(got, fmt.Sprintf("%d %s %s %d", x.ID, x.Version, x.PowerMode, x.Instance))
		keys[x.Key()] = true
	}
	want := []string{"0 a low 0", "1 b low 0", "2 c low 0", "0 a low 1", "2 c low 1", "3 a high 0", "4 b high 0", "5 c high 0", "3 a high 1", "5 c high 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(keys) != len(p.Points) {
		t.Errorf("%d keys of %d instances", len(keys), len(p.Points))
	}
}
