package workers

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestSplitDoesEveryItemOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 8} {
		for _, n := range []int{0, 1, 2, 7, 1000} {
			done := make([]atomic.Int32, n)
			Split(workers, n, func(i int) { done[i].Add(1) })
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("%d workers: item %d of %d done %d times", workers, i, n, got)
				}
			}
		}
	}
}

// Two workers work at once: each waits for the other.
func TestSplitWorksAtOnce(t *testing.T) {
	var met sync.WaitGroup
	met.Add(2)
	Split(2, 2, func(int) {
		met.Done()
		met.Wait()
	})
}
