package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// ledger is a Keeper that writes into the log.
type ledger struct {
	*log
	refusal map[string]string // by version
	full    error             // of a start
}

func (l ledger) Start(p plan.Point) (string, error) {
	l.add("start %s", p.Version)
	return l.refusal[p.Version], l.full
}

func (l ledger) Withdraw(p plan.Point) error {
	l.add("withdraw %s", p.Version)
	return nil
}

func (l ledger) Append(r record.Result) error {
	l.add("append %s %s %s", r.Point.Version, r.Status, r.Reason)
	return nil
}

func (l ledger) kept() []string {
	return slices.DeleteFunc(l.take(), func(x string) bool {
		return !slices.Contains([]string{"start", "withdraw", "append", "enter"}, strings.Fields(x)[0])
	})
}

// A start is kept before anything is done for a point, its mode's switch included;
// what is refused is a failed point, what is interrupted is withdrawn.
func TestStartsAreKept(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	l := ledger{log: b.log, refusal: map[string]string{"panics": "it took the machine down"}}
	b.EnterMode(func(string) error { b.log.add("enter"); return nil }, nil)
	skipped := pointOf("ok", 3)
	skipped.Skip = "not here"
	if err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1), pointOf("panics", 1), skipped}, nil, nil, watcher{&log{}}, l); err != nil {
		t.Fatal(err)
	}
	want := []string{"start ok", "enter", "append ok ok ", "start panics", "append panics failed it took the machine down", "append ok skipped not here"}
	if got := l.kept(); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.EnterMode(func(string) error { b.log.add("enter"); time.AfterFunc(soon, cancel); return nil }, nil)
	hangs := pointOf("hangs", 1)
	hangs.PowerMode = "another" // the one before is still on
	if err := b.Run(ctx, []plan.Point{hangs, pointOf("ok", 1)}, nil, nil, watcher{&log{}}, l); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if got, want := l.kept(), []string{"start hangs", "enter", "withdraw hangs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	l.full = errors.New("disk full")
	if err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1)}, nil, nil, watcher{&log{}}, l); !errors.Is(err, l.full) {
		t.Error(err)
	}
	if got, want := l.kept(), []string{"start ok"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMeasureIsRunOfOnePoint: one point is measured as of many, and its result is returned.
func TestMeasureIsRunOfOnePoint(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	l := ledger{log: b.log, refusal: map[string]string{"panics": "it took the machine down"}}
	seen := &log{}
	skipped := pointOf("ok", 3)
	skipped.Skip = "not here"
	for _, c := range []struct {
		point  plan.Point
		status record.Status
		reason string
		kept   []string
	}{
		{pointOf("ok", 1), record.OK, "", []string{"start ok", "append ok ok "}},
		{pointOf("panics", 1), record.Failed, "it took the machine down", []string{"start panics", "append panics failed it took the machine down"}},
		{skipped, record.Skipped, "not here", []string{"append ok skipped not here"}},
	} {
		r, err := b.Measure(t.Context(), c.point, nil, watcher{seen}, l)
		if err != nil || r.Point.Key() != c.point.Key() || r.Status != c.status || r.Reason != c.reason {
			t.Errorf("%s: %+v, %v", c.point.Version, r, err)
		}
		if got := l.kept(); !slices.Equal(got, c.kept) {
			t.Errorf("kept are %q, want %q", got, c.kept)
		}
		if c.status == record.Failed {
			continue // it was never told of with no keeper
		}
		again, err := b.Measure(t.Context(), c.point, nil, watcher{seen}, nil)
		if err != nil || again.Status != c.status {
			t.Errorf("%s without a keeper: %+v, %v", c.point.Version, again, err)
		}
	}
	shown := strings.Join(seen.take(), "\n")
	if strings.Count(shown, "done") != 5 {
		t.Errorf("the observer was told %q", shown)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Measure(ctx, pointOf("ok", 1), nil, watcher{seen}, l); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if got := l.kept(); len(got) != 0 {
		t.Errorf("kept are %q", got)
	}
}
