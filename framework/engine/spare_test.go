package engine

import (
	"reflect"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/sim"
)

// TestSpare: an engine takes the worker that was started ahead for its device, another one
// starts its own, and what nobody took ends with the Spare.
func TestSpare(t *testing.T) {
	var s Spare
	s.Ready("cpu")
	first := s.ready["cpu"]
	s.Ready("cpu")
	s.Ready("sim")
	if s.ready["cpu"] != first {
		t.Error("a second worker is started where one is ready")
	}
	ahead := <-first
	if ahead == nil {
		t.Fatal("no worker was started")
	}
	first <- ahead
	ask := func() *process {
		e := New(Options{Config: &config.Config{Measure: config.DefaultMeasure()}, Choices: Choices{Root: "/", Spare: &s}, Workers: 1, SpareFor: "cpu"})
		t.Cleanup(e.Close)
		if _, err := e.Sensors(t.Context(), "cpu"); err != nil {
			t.Fatal(err)
		}
		return e.worker
	}
	if p := ask(); p != ahead {
		t.Error("the worker that was ready was not taken")
	}
	if p := ask(); p == ahead {
		t.Error("two engines have one worker")
	}
	left := <-s.ready["sim"]
	s.ready["sim"] <- left
	s.Close()
	if !left.gone() || len(s.ready) > 0 {
		t.Error("a worker that nobody took does not end")
	}
	left.kill()
	(*Spare)(nil).Ready("cpu")
	(*Spare)(nil).Close()
	if (*Spare)(nil).take("cpu") != nil {
		t.Error("no Spare has a worker")
	}
}

// A worker that has ended while it waited is not given away.
func TestSpareGone(t *testing.T) {
	var s Spare
	s.Ready("cpu")
	p := <-s.ready["cpu"]
	p.kill()
	s.ready["cpu"] <- p
	if s.take("cpu") != nil {
		t.Error("a worker that has ended is given away")
	}
}

// TestSeries: engines of a series on one GPU have one worker; others do not, nor do those of a device whose worker
// runs foreign code.
func TestSeries(t *testing.T) {
	s := &Spare{}
	defer s.Close()
	had := map[*process]bool{}
	uses := func(series bool, device string) *process {
		e := New(Options{Config: &config.Config{Measure: config.DefaultMeasure()}, Choices: Choices{Root: "/", Spare: s, Series: series}, Workers: 1, SpareFor: device})
		defer e.Close()
		if _, err := e.Sensors(t.Context(), "cpu"); err != nil {
			t.Fatal(err)
		}
		had[e.worker] = true
		return e.worker
	}
	first := uses(true, "cuda:0")
	if second := uses(true, "cuda:0"); first != second || first.gone() {
		t.Error("the second engine of a series starts a worker")
	}
	if third := uses(false, "cuda:0"); third != first || !third.gone() {
		t.Error("the worker of an engine that is not of a series is kept, or another was started")
	}
	if p := uses(true, "sim"); !p.gone() {
		t.Error("a worker that runs foreign code is kept")
	}
	if len(had) != 2 {
		t.Errorf("%d workers", len(had))
	}
}

// TestFollow: a worker keeps nothing of an earlier engine but its GPU.
func TestFollow(t *testing.T) {
	d := &sim.Device{}
	config := &config.Config{Measure: config.DefaultMeasure()}
	w := &worker{setup: setup{Options: Options{Config: config, Choices: Choices{Seed: 1}}}, device: d, devID: "cuda:0", factory: &framework.Factory{}, clockChanged: true, refused: true, libraries: make([]record.Library, 1),
		meters: map[framework.Processor]*meterState{framework.GPU: {}}, problems: []kept{{key: "N=1", problem: nothing{}}}}
	next := setup{Options: Options{Config: config, Choices: Choices{Seed: 2, Series: true}}}
	w.follow(next)
	if want := (&worker{setup: next, device: d, devID: "cuda:0"}); !reflect.DeepEqual(w, want) {
		t.Errorf("%+v; want %+v", w, want)
	}
}
