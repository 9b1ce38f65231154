package measure

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// walk goes through memory in steps that no prefetcher follows, from cache line to cache
// line: each word is where the next is.
type walk struct {
	framework.BaseAlgorithm
	next []int32
	at   int32
	err  error
}

// ownWords are of 32 KiB: two walks stay in the caches of one core, which others do not use.
const ownWords = 1 << 13

func newWalk(words int) *walk {
	w := &walk{next: make([]int32, words)}
	const step = 40507 * 16 // an odd number of lines: all of a power of two come up
	for i := range w.next {
		w.next[i] = int32((i + step) % words)
	}
	return w
}

func (w *walk) Workers() int { return 1 }
func (w *walk) Run() error {
	at := w.at
	for range 3 * len(w.next) / 16 { // three times over all lines
		at = w.next[at]
	}
	w.at = at
	return w.err
}

// slower tells whether what series times as cold takes twice as long as what it times
// as hot, by the shortest of each: a load of the machine, which makes samples longer
// and evicts what is hot, is waited out.
func slower(series func() (cold, hot []float64)) (is bool, cold, hot float64) {
	cold, hot = math.Inf(1), math.Inf(1)
	for range 50 {
		c, h := series()
		cold, hot = min(cold, slices.Min(c)), min(hot, slices.Min(h))
		if cold > 2*hot {
			return true, cold, hot
		}
	}
	return false, cold, hot
}

// TestColdCPU: with flushed caches the same walk takes longer than back to back.
func TestColdCPU(t *testing.T) {
	timer := NewCPUTimer(config.Measure{MinSamples: 10, MinTime: 0.05, Noise: 0.05, Timeout: 10, CPUCaches: config.Cold})
	alg := newWalk(ownWords)
	is, c, h := slower(func() ([]float64, []float64) {
		cold, err := timer.Cold(alg)
		if err != nil {
			t.Fatal(err)
		}
		hot, err := timer.Hot(alg)
		if err != nil {
			t.Fatal(err)
		}
		if cold.Flush != config.FlushClean || cold.Batch != 1 || len(cold.Samples) < 10 && !strings.HasPrefix(cold.Stop, "timeout") || cold.Stop == "" || hot.Flush != "" {
			t.Fatalf("cold %d samples in batches of %d, %s lines, %q; hot %q", len(cold.Samples), cold.Batch, cold.Flush, cold.Stop, hot.Flush)
		}
		return cold.Samples, hot.Samples
	})
	if !is {
		t.Errorf("cold %v s, hot %v s", c, h)
	}
}

func TestAlternateCold(t *testing.T) {
	m := config.Measure{MinSamples: 6, MinTime: 0.01, Noise: 0.05, Timeout: 10}
	alternate := func(caches config.Caches) []float64 {
		m.CPUCaches = caches
		timer := NewCPUTimer(m)
		x, err := timer.Alternate(newWalk(ownWords), newWalk(ownWords))
		if err != nil {
			t.Fatal(err)
		}
		if x.Caches != caches || len(x.A) == 0 || len(x.A) != len(x.B) { // a loaded machine may get no six in time
			t.Fatalf("%s caches: %d and %d samples, %q", caches, len(x.A), len(x.B), x.Caches)
		}
		return x.A
	}
	if is, c, h := slower(func() ([]float64, []float64) { return alternate(config.Cold), alternate(config.Hot) }); !is {
		t.Errorf("cold %v s, hot %v s", c, h)
	}
}

func TestColdCPUFails(t *testing.T) {
	broken := errors.New("out of order")
	alg := newWalk(1 << 10)
	timer := NewCPUTimer(config.Measure{MinSamples: 3, Noise: 0.5, Timeout: 1, FlushBytes: 1 << 16})
	alg.err = broken
	if _, err := timer.Cold(alg); !errors.Is(err, broken) {
		t.Errorf("a run that fails: %v", err)
	}
	alg.err = nil
	timer.m.FlushBytes = 1 << 50
	if _, err := timer.Cold(alg); err == nil || !strings.Contains(err.Error(), "that flush the caches") {
		t.Errorf("more to flush than there is memory: %v", err)
	}
}

// TestCPUFlushIsGuessed where the kernel does not tell of caches.
func TestCPUFlushIsGuessed(t *testing.T) {
	f, note, err := newCPUFlush(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.buffer) != guessedFlush || !strings.Contains(note, "64 MiB") {
		t.Errorf("%d bytes, note %q", len(f.buffer), note)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
}
