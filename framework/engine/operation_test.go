package engine

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestOperations: what a program hands the worker keeps its state from point to point, takes points up to their
// first run, and its errors and panics come back.
func TestOperations(t *testing.T) {
	type told struct{ Text string }
	var took []string
	count := Operation{Name: "count", New: func() Operate {
		points := 0
		return func(a *Asked) (any, error) {
			var in told
			if err := a.Input(&in); err != nil {
				return nil, err
			}
			points++
			if in.Text == "refuse" {
				return nil, errors.New("refused\nin two lines")
			}
			err := a.RunOn(nil, func() { took = append(took, "prepared "+a.Point.Version) })
			if err != nil {
				return nil, err
			}
			return told{in.Text + strings.Repeat("!", points) + "\nend"}, nil
		}
	}}
	b := newBed(t, nil)
	b.operations = []Operation{count}
	ask := func(name, version, text string) (string, error) {
		var out told
		err := b.Ask(context.Background(), name, pointOf(version, 1), time.Minute, told{text}, &out)
		return out.Text, err
	}
	for _, c := range []struct{ name, version, text, want, err string }{
		{"count", "quick", "one", `one!\nend`, ""},
		{"count", "quick", "two", `two!!\nend`, ""},
		{"count", "quick", "refuse", "", "refused in two lines"},
		{"count", "panics", "", "", "panic: out of wits"},
		{"count", "fails", "", "", "run refused"},
		{"other", "quick", "", "", `unknown request "other"`},
	} {
		got, err := ask(c.name, c.version, c.text)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s %s: %q, %v", c.version, c.text, got, err)
		}
	}
	if want := []string{"prepared quick", "prepared quick", "prepared panics", "prepared fails"}; !reflect.DeepEqual(took, want) {
		t.Errorf("%q", took)
	}
	if b.started != 1 {
		t.Errorf("%d workers", b.started)
	}
}
