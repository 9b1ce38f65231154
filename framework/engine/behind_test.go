package engine

import (
	"errors"
	"io"
	"testing"
	"time"
)

// What others take of a request's time does not count against its limit, as often as they do.
func TestLimitIsOfOwnTime(t *testing.T) {
	out, w := io.Pipe()
	defer w.Close()
	requests, in := io.Pipe()
	go io.Copy(io.Discard, requests)
	const lossy = 4
	asked := 0
	p := &process{in: in, out: out, tail: &tail{}, end: func() { w.Close() }, wait: func() error { return nil }}
	p.lost = func() time.Duration {
		asked++
		return time.Duration(min(asked, lossy)) * time.Millisecond
	}
	begin := time.Now()
	_, err := p.follow().ask(request{}, time.Millisecond, nil, func(*reply) {})
	if took := time.Since(begin); !errors.Is(err, errTimeout) || asked != lossy+1 || took < lossy*time.Millisecond {
		t.Errorf("%v after asking %d times and %v; want a timeout after %d and %d ms", err, asked, took, lossy+1, lossy)
	}
}

// A compiler that was paused for longer than a point may take has not hung; one that hangs has.
func TestPausedIsNotHung(t *testing.T) {
	_, c, _ := compiling(t, 2)
	limit := 2 * time.Second
	measure := &c.options.Config.Measure
	measure.PointTimeout = limit.Seconds()
	c.Pause()
	done := make(chan error, 1)
	go func() {
		_, err := c.One(t.Context(), compiledPoint("gpu-compiles", 1))
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("paused, and ended: %v", err)
	case <-time.After(limit * 3 / 2):
	}
	c.Resume()
	// How much of its time it sleeps for the disk is not known: one in three is in time.
	err := <-done
	for range 2 {
		if err == nil {
			break
		}
		_, err = c.One(t.Context(), compiledPoint("gpu-compiles", 2))
	}
	if err != nil {
		t.Errorf("paused for longer than the limit: %v", err)
	}
	measure.PointTimeout = 0.1
	if _, err := c.One(t.Context(), compiledPoint("gpu-hangs-ahead", 1)); !errors.Is(err, errTimeout) {
		t.Errorf("hangs: %v", err)
	}
}

// A thread that is ready beside others waits.
func TestWaited(t *testing.T) {
	if waited(1<<30) != 0 {
		t.Error("a process that is not there waited")
	}
	p, err := startBehind()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	within(t, "waiting for a CPU", func() {
		for waited(p.group) == 0 {
			time.Sleep(time.Millisecond)
		}
	})
}
