package search

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/tuning"
)

// resumed is what a prior's journal has.
func resumed(t *testing.T, dir string) (*record.Journal, *Search) {
	t.Helper()
	_, _, j, err := record.OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j, &Search{journal: j}
}

// TestPriorIsTheSameAfterResuming: what a search was told of its prior, and after how many trials, it is told
// again when it goes on from its journal, and nothing else before that has been used up.
func TestPriorIsTheSameAfterResuming(t *testing.T) {
	dir := t.TempDir()
	journal := journalIn(t, dir)
	const news = 16 // of tuning.Making
	v := &Version{Version: &framework.Version{Name: "gpu", Processor: framework.GPU}}
	points := func(from, n int) (all []tuning.Predicted) {
		for i := range n {
			all = append(all, tuning.Predicted{Point: from + i, Cost: float64(1 + from + i)})
		}
		return all
	}
	p := &prior{search: &Search{journal: journal}, version: v, stop: func() {}}
	p.fresh = points(0, news-1)
	if got := p.Take(0, 0); got != nil {
		t.Errorf("told of %d points, which are too few", len(got))
	}
	p.fresh = points(0, news)
	if got := p.Take(0, 0); len(got) != news {
		t.Errorf("told of %d points", len(got))
	}
	p.fresh = points(news, 3)
	if p.Take(1, 0) != nil {
		t.Error("told of few more")
	}
	if p.made = true; len(p.Take(5, 0)) != 3 {
		t.Error("not told of the last")
	}
	journal.Close()

	again, s := resumed(t, dir)
	q := &prior{search: s, version: v, stop: func() {}, resumed: 7, made: true, fresh: points(50, 2)}
	q.earlier, _ = priorsOf(again.Priors(), v)
	for _, x := range []struct {
		ended int
		want  []tuning.Predicted
	}{{0, points(0, news)}, {1, nil}, {4, nil}, {5, points(news, 3)}, {6, nil}, {7, points(50, 2)}, {8, nil}} {
		if got := q.Take(x.ended, 0); !slices.Equal(got, x.want) {
			t.Errorf("after %d: %v, want %v", x.ended, got, x.want)
		}
	}
	if other, _ := priorsOf(again.Priors(), &Version{Version: &framework.Version{Name: "other", Processor: framework.GPU}}); other != nil {
		t.Error("another version has the prior of this one")
	}
}

// TestCompilersModelInTurns: compilers model only what they have no compiling for, and not before the prior begins.
func TestCompilersModelInTurns(t *testing.T) {
	var s turns
	var begun atomic.Bool
	got := make(chan func())
	ask := func() { go func() { got <- s.model(t.Context(), begun.Load, 2) }() }
	ask()
	select {
	case <-got:
		t.Fatal("modelled before it is begun")
	case <-time.After(10 * turnWait):
	}
	first := s.compile()
	begun.Store(true)
	end := <-got // one of two compiles
	second := s.compile()
	end()
	ask()
	select {
	case <-got:
		t.Fatal("modelled although all compile")
	case <-time.After(10 * turnWait):
	}
	second()
	(<-got)()
	first()
}

// TestPriorBeginsAfterATrial by one process, not by what the journal had, and says so where it ends with nothing told.
func TestPriorBeginsAfterATrial(t *testing.T) {
	stopped := false
	p := &prior{version: &Version{Version: &framework.Version{}}, making: tuning.Making{Most: 2}, resumed: 3, stop: func() { stopped = true }}
	if p.Take(3, 0); p.makers.Load() > 0 {
		t.Error("begun before a trial has ended")
	}
	if p.Take(4, time.Second); p.makers.Load() != 1 {
		t.Error("want one process when a trial has ended")
	}
	for range 8 {
		p.making.Made(true, 0.01)
	}
	if p.Take(8, 2*time.Second); p.makers.Load() != 2 || stopped {
		t.Error("points are modelled sooner than trials end, and not all make it")
	}
	p.making.Made(true, 100)
	if p.Take(100, 3*time.Second); !stopped || p.missing == "" {
		t.Errorf("ended %t: %q", stopped, p.missing)
	}
}

// TestLaunchCost: lanes that no thread has, a last wave and few warps cost.
func TestLaunchCost(t *testing.T) {
	f := gpu.Facts{WarpSize: 32, Multiprocessors: 10, MaxThreadsPerSM: 2048, MaxThreadsBlock: 1024, MaxBlocksPerSM: 32, RegistersPerSM: 65536, RegistersBlock: 65536, SharedPerSM: 1 << 16, SharedOptIn: 1 << 16, ComputeMajor: 8}
	cost := func(blocks, threads, registers int) float64 {
		return launchCost(f, []offline.Launch{{Blocks: blocks, Threads: threads, Registers: registers}})
	}
	full := cost(80, 256, 32)
	for what, worse := range map[string]float64{"lanes without a thread": cost(80*8, 33, 32), "a last wave of one block": cost(81, 256, 32), "few warps": cost(80, 256, 128)} {
		if !(worse > full) {
			t.Errorf("%s cost %v, and without %v", what, worse, full)
		}
	}
	if launchCost(f, nil) != 0 {
		t.Error("nothing is launched and costs")
	}
}

// TestPriorInALine says what was used, how far it was trusted, and when it was given up.
func TestPriorInALine(t *testing.T) {
	for _, c := range []struct {
		r    PriorReport
		want string
	}{
		{PriorReport{Missing: "it is a library's"}, "no prior: it is a library's"},
		{PriorReport{Source: "--from", Trust: tuning.Trust{Predicted: 66, Advised: 1, Share: 0.5}}, "prior: --from, of 66 points; it advised 1 trial; trusted for 50 % of the trials at the end"},
		{PriorReport{Source: "the model of bench why", Trust: tuning.Trust{Predicted: 400, Advised: 2, Pairs: 4, Agreement: -0.75, GivenUp: 6}},
			"prior: the model of bench why, of 400 points; it advised 2 trials; rank correlation with what was measured -0.75; given up after 6 trials"},
	} {
		if got := c.r.Text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	o := Options{NoPrior: true, Objective: Time}
	if !strings.Contains(o.Selection(nil), "--prior=false") {
		t.Error("a search without a prior may be resumed with one")
	}
}
