package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bench/framework/plan"
	"bench/framework/record"
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
	time.AfterFunc(soon, cancel)
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
