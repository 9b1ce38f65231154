package search

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/tuning"
)

// inOrder proposes points in their order, and doubts the third once it knows two trials.
type inOrder struct {
	next, told int
	forgotten  []int
}

func (d *inOrder) Next() (task, point int, ok bool) {
	d.next++
	return 0, d.next - 1, d.next <= 11
}
func (d *inOrder) Tell(tuning.Trial)             { d.told++ }
func (d *inOrder) Doubts(p tuning.Proposal) bool { return p.Point == 2 && d.told >= 2 }
func (d *inOrder) Forget(p tuning.Proposal)      { d.forgotten = append(d.forgotten, p.Point) }

// What the strategy doubts while it is compiled is no trial, and a search that goes on from
// the journal takes it back too, without compiling it.
func TestCutShortIsKept(t *testing.T) {
	if _, err := nvrtc.OpenFor(0); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	end := make(chan struct{})
	defer close(end)
	run := func(dir string, earlier []record.Result, journal *record.Journal) (*Search, *inOrder, *toy) {
		d := &inOrder{}
		begun := make(chan struct{})
		y := &toy{ran: func(what string) {
			if strings.HasSuffix(what, "A=1 B=3") { // point 2
				close(begun)
				<-end
			}
			<-begun // no trial is known before
		}}
		o := y.options("random")
		o.Strategy = tuning.Info{Name: "in order", New: func(tuning.Search) (tuning.Strategy, error) { return d, nil }}
		o.Device, o.Facts, o.Compilers = "cuda:0", plan.AnyGPU(), 4
		var notes []string
		o.Note = func(format string, _ ...any) { notes = append(notes, format) }
		s := y.open(t, `"versions": ["gpu"]`, o)
		if err := s.Run(t.Context(), journal, earlier, &show{}); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "cut short") }) {
			t.Errorf("notes %q", notes)
		}
		return s, d, y
	}
	dir := t.TempDir()
	journal := journalIn(t, dir)
	first, d, _ := run(dir, nil, journal)
	if len(first.Trials) != 10 || !slices.Equal(d.forgotten, []int{2}) || first.Versions[0].Outcome.Cut != 1 {
		t.Fatalf("%d trials, %v forgotten, %d cut", len(first.Trials), d.forgotten, first.Versions[0].Outcome.Cut)
	}
	journal.Close()
	_, earlier, journal, err := record.OpenJournal(dir)
	if err != nil || len(earlier) != 11 {
		t.Fatalf("%d results in the journal, %v", len(earlier), err)
	}
	t.Cleanup(func() { journal.Close() })
	again, d, y := run(dir, earlier, journal)
	if got, want := costs(again), costs(first); !slices.Equal(got, want) || !slices.Equal(d.forgotten, []int{2}) || y.count("") != 0 {
		t.Errorf("%q, want %q; %v forgotten; %d compiled", got, want, d.forgotten, y.count(""))
	}
}
