package workers_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"bench/framework/workers"
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
