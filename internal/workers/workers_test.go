package workers_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"example.org/bench/framework/algorithmtest"
	"example.org/bench/internal/workers"
)

// Every run hands every item out once, and an item may wait for those below.
func TestEachInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		const items = 1000
		var turn atomic.Int64
		got := make([]int, 0, items)
		var pool *workers.Pool
		pool = workers.New(n, func(int) {
			pool.Each(items, func(i int) {
				workers.Wait(&turn, int64(i))
				got = append(got, i)
				turn.Add(1)
			})
		})
		if want := max(n, 1); pool.Workers() != want {
			t.Errorf("%d workers, want %d", pool.Workers(), want)
		}
		for range 3 {
			turn.Store(0)
			got = got[:0]
			pool.Run()
			if len(got) != items || !slices.IsSorted(got) {
				t.Fatalf("%d workers: %d items, sorted %v", n, len(got), slices.IsSorted(got))
			}
		}
		pool.Close()
	}
}

func TestRunReachesEveryWorker(t *testing.T) {
	seen := make([]int, 4)
	pool := workers.New(4, func(w int) { seen[w]++ })
	defer pool.Close()
	pool.Run()
	pool.Run()
	if !slices.Equal(seen, []int{2, 2, 2, 2}) {
		t.Errorf("workers ran %v times", seen)
	}
}

// Each worker begins with an item of its own, and is told the one that it gets next.
func TestEachAhead(t *testing.T) {
	const n, items = 3, 1000
	var got [items]atomic.Int32
	var broken, first atomic.Int32
	begun := make(chan struct{}, n)
	var pool *workers.Pool
	pool = workers.New(n, func(w int) {
		want := -1
		pool.EachAhead(w, items, func(i, next int) {
			got[i].Add(1)
			switch {
			case want < 0 && i != w, want >= 0 && i != want, next <= i:
				broken.Add(1)
			case want < 0: // nobody goes on before all have begun
				first.Add(1)
				begun <- struct{}{}
				for len(begun) < n {
					runtime.Gosched()
				}
			}
			want = next
		})
		if want >= 0 && want < items {
			broken.Add(1)
		}
	})
	defer pool.Close()
	for range 3 {
		for len(begun) > 0 {
			<-begun
		}
		pool.Run()
	}
	for i := range got {
		if c := got[i].Load(); c != 3 {
			t.Fatalf("item %d done %d times in 3 runs", i, c)
		}
	}
	if broken.Load() != 0 || first.Load() != 3*n {
		t.Errorf("%d items were not as told, %d first ones, want %d", broken.Load(), first.Load(), 3*n)
	}
}

// Closing ends the workers, also those that have gone to sleep.
func TestCloseEndsWorkers(t *testing.T) {
	before := algorithmtest.Running()
	for range 20 {
		pool := workers.New(4, func(int) {})
		pool.Run()
		pool.Close()
		pool.Close()
	}
	if err := before.Left(); err != nil {
		t.Error(err)
	}
}

// Wait returns no turn too early, also when it has long given its thread away.
func TestWaitForTheTurn(t *testing.T) {
	var turn, early atomic.Int64
	done := make(chan struct{})
	go func() {
		workers.Wait(&turn, 2)
		early.Store(2 - turn.Load())
		close(done)
	}()
	turn.Store(1)
	for range 20000 {
		runtime.Gosched()
	}
	turn.Store(2)
	<-done
	if early.Load() != 0 {
		t.Error("it returned a turn early")
	}
}
