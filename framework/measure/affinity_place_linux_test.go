package measure

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// TestPlaceBy: what may not place its threads has each of them placed.
func TestPlaceBy(t *testing.T) {
	var placed []int
	PlaceBy(func(thread int, _ *linux.CPUSet) error {
		placed = append(placed, thread)
		return errors.New("refused")
	})
	defer placer.Store(nil)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	setThreads(machine.AllowedCPUs().Set())
	if own := unix.Gettid(); !slices.Contains(placed, own) {
		t.Errorf("thread %d is not placed; of these each is: %d", own, placed)
	}
	before := len(placed)
	p := pins{machine.AllowedCPUs(), map[int]int{}, ran}
	if p.give([]int{1}); len(placed) != before+1 || placed[before] != 1 {
		t.Errorf("pinned are %d, want 1", placed[before:])
	}
}
