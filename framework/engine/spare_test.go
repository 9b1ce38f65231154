package engine

import (
	"testing"

	"bench/framework/config"
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
