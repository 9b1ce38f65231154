package tuning

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

func TestNumberIsNoConstraint(t *testing.T) {
	if _, err := ParseConstraint("a * 5"); err == nil || !strings.Contains(err.Error(), "is a number; want a condition") {
		t.Errorf("a * 5: %v", err)
	}
	for text, fault := range map[string]bool{"a > 5": false, "a >": true} {
		if _, err := ParseConstraint(text); (err != nil) != fault {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestWordsDecide: a constraint on a word that is given holds for all points or for none.
func TestWordsDecide(t *testing.T) {
	for text, want := range map[string]int{"kind == 'row'": 6, "kind != 'row'": 0, "kind in ['column', 'row'] and b > 1": 3, "kind == 'column' or b == 2": 3} {
		s, err := Declaration{Parameters: []Parameter{parameter("a", 1, 2, 3), parameter("b", 1, 2)}, Words: map[string]string{"kind": "row"},
			Constraints: pythonConstraints(t, text)}.Enumerate(context.Background())
		if err != nil || s.Len() != want {
			t.Errorf("%s: %d points, %v; want %d", text, s.Len(), err, want)
		}
	}
}

// TestSearchOrder: the constraint that leaves the fewest combinations comes next, of
// its parameters the one of fewest values; what none names comes last.
func TestSearchOrder(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f"}
	sizes := []int{6, 4, 3, 2, 5, 1}
	for _, c := range []struct {
		constraints []string
		want        string
	}{
		{nil, "abcdef"},
		{[]string{"a * b < 9", "c * d < 9"}, "dcbaef"},                   // 24 and 6 combinations
		{[]string{"a * b < 9", "c * d < 9", "c * e < 9"}, "dceba" + "f"}, // then 5 of e are fewer than 24
		{[]string{"c * d < 9", "a > 1"}, "dcabef"},                       // 6 and 6: the first
		{[]string{"a > 1", "c * d < 9"}, "adcbef"},
		{[]string{"f > 0", "a * b * c * d * e < 9"}, "fdcbea"},
	} {
		b := binding{constants: map[string]float64{}}
		for i, n := range names {
			b.parameters = append(b.parameters, upTo(n, 1, float64(sizes[i]), 1))
		}
		bound, never, err := b.bind(pythonConstraints(t, c.constraints...))
		if err != nil || never != "" {
			t.Fatal(never, err)
		}
		var got strings.Builder
		for _, s := range searchOrder(sizes, bound) {
			got.WriteString(names[s])
		}
		if got.String() != c.want {
			t.Errorf("%q: %s, want %s", c.constraints, got.String(), c.want)
		}
	}
}

// TestEnumerationIsInterrupted between two points, not only before the first.
func TestEnumerationIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var asked atomic.Int64
	d := Declaration{Parameters: []Parameter{upTo("a", 1, 200, 1), upTo("b", 1, 200, 1), upTo("c", 1, 200, 1)},
		Valid: func([]uint16) bool { asked.Add(1); cancel(); return false }}
	if _, err := d.Enumerate(ctx); !errors.Is(err, context.Canceled) || asked.Load() == 200*200*200 {
		t.Errorf("%v after all of %d combinations", err, asked.Load())
	}
}
