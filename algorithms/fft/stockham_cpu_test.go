package fft

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"time"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// verifyKernels checks one instruction set's kernels on a problem.
func verifyKernels[T element](t *testing.T, k *kernels, p *problem, in []T, workers int,
	check func([]T) []framework.Check) {
	t.Helper()
	s := newStockhamCPU[T](k, p.N, p.Batch, p.Inverse, workers, tileKiB<<10)
	defer s.Close()
	out, before := make([]T, len(in)), slices.Clone(in)
	if err := s.run(out, in); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in, before) {
		t.Errorf("N %d batch %d %s: the input has changed", p.N, p.Batch, k.name)
	}
	for _, c := range check(out) {
		if !c.OK() {
			t.Errorf("N %d batch %d inverse %v double %v %s with %d workers: %s is %.3g, bound %.3g",
				p.N, p.Batch, p.Inverse, p.Double, k.name, workers, c.Metric, c.Error, c.Bound)
		}
	}
}

// verifyAllKernels checks all kernels that run on this machine.
func verifyAllKernels(t *testing.T, n, batch, workers int, direction string) {
	t.Helper()
	p := testProblem(t, n, batch, "f32", direction)
	for _, k := range kernelsFor[complex64]() {
		verifyKernels(t, k, p, p.in32, workers, p.check32)
	}
	p = testProblem(t, n, batch, "f64", direction)
	for _, k := range kernelsFor[complex128]() {
		verifyKernels(t, k, p, p.in64, workers, p.check64)
	}
}

// Under an emulator (-short) the lengths end where all kinds of plans have been.
func TestStockhamAllLengths(t *testing.T) {
	longest := 1 << 16
	if testing.Short() {
		longest = 1 << 13
	}
	for n := minN; n <= longest; n *= 2 {
		for _, direction := range []string{"forward", "inverse"} {
			verifyAllKernels(t, n, 1+max(1<<12/n, 2), 2, direction)
		}
	}
}

// TestStockhamBatches goes round the number of lanes and of groups taken at
// once, and round the number of workers.
func TestStockhamBatches(t *testing.T) {
	for _, n := range []int{64, 128, 256} {
		for _, batch := range []int{1, 2, 3, 7, 15, 16, 17, 127, 129} {
			for workers := 1; workers <= 3; workers++ {
				verifyAllKernels(t, n, batch, workers, "forward")
			}
		}
	}
}

func TestStockhamLargeLengths(t *testing.T) {
	verifyAllKernels(t, 1<<18, 3, 2, "inverse")
	verifyAllKernels(t, 1<<19, 1, 1, "forward")
	p := testProblem(t, maxN, 1, "f32", "forward")
	verifyKernels(t, kernelsFor[complex64]()[0], p, p.in32, 2, p.check32)
}

func TestStockhamRunMakesNoGarbage(t *testing.T) {
	for _, n := range []int{64, 1024, 1 << 17} {
		p := testProblem(t, n, 2, "f32", "forward")
		out := make([]complex64, len(p.in32))
		for _, k := range kernelsFor[complex64]() {
			s := newStockhamCPU[complex64](k, n, p.Batch, false, 2, tileKiB<<10)
			if a := testing.AllocsPerRun(5, func() { s.run(out, p.in32) }); a != 0 {
				t.Errorf("N %d %s: %v allocations per run", n, k.name, a)
			}
			s.Close()
		}
	}
}

func TestStockhamEndsItsWorkers(t *testing.T) {
	before := algorithmtest.Running()
	s := newStockhamCPU[complex64](kernelsFor[complex64]()[0], 1<<17, 1, false, 8, tileKiB<<10)
	n := before.Since()
	for range 1000 { // another one of the runtime's may be ending
		if n <= 7 {
			break
		}
		time.Sleep(time.Millisecond)
		n = before.Since()
	}
	if n != 7 {
		t.Errorf("%d goroutines for 8 workers, want 7", n)
	}
	s.Close()
	if err := before.Left(); err != nil {
		t.Error(err)
	}
}

// TestStockhamWork compares the counts with sums made by hand for N = 1024 in
// two steps of 32 (radix 4, then 8) on kernels of 16 lanes that keep no rows.
func TestStockhamWork(t *testing.T) {
	k := portableKernels[float32]()
	k.lanes, k.order = 16, laneOrder(16, 2)
	k.costs = costs{turnedFLOPs: [3]int64{10, 34, 102}, lastFLOPs: 60, tileKept: 1}
	s := newStockhamCPU[complex64](k, 1024, 10, false, 1, tileKiB<<10)
	defer s.Close()
	w := s.Work()
	const e = 10240
	// Two radix-4 passes, two last radix-8 passes and the tiles.
	if want := int64(e * (2*34/4.0 + 2*60/8.0 + 12)); w.FLOPs != want {
		t.Errorf("FLOPs %d, want %d", w.FLOPs, want)
	}
	// Rows: four passes, and in the tiles the row, its factors and the row
	// kept. Shared by the 16 lanes: three factors for each of e/4 butterflies
	// in two passes, a tile's row of factors, 4-byte places of rows and of
	// last butterflies.
	if want := int64(e*8*7 + 2*e/4*3*8/16 + e*8/16 + e*4/16 + e*4/16/8); w.LoadBytes != want {
		t.Errorf("load bytes %d, want %d", w.LoadBytes, want)
	}
	if want := int64(e * 8 * 6); w.StoreBytes != want {
		t.Errorf("store bytes %d, want %d", w.StoreBytes, want)
	}

	// With a factor for each element: one multiplication, no row of factors for
	// each tile, and no row kept.
	k.directTiles, k.longestDirect = func(unsafe.Pointer, int, unsafe.Pointer, *uint32, int, unsafe.Pointer) {}, 1024
	direct := newStockhamCPU[complex64](k, 1024, 10, false, 1, tileKiB<<10)
	defer direct.Close()
	d := direct.Work()
	if d.FLOPs != w.FLOPs-6*e || d.LoadBytes != w.LoadBytes-e*8-e*8/16 || d.StoreBytes != w.StoreBytes-e*8 {
		t.Errorf("with a factor for each element %+v, without %+v", d, w)
	}
	k.longestDirect = 512
	longer := newStockhamCPU[complex64](k, 1024, 10, false, 1, tileKiB<<10)
	defer longer.Close()
	if got := longer.Work(); got != w {
		t.Errorf("beyond the longest %+v, want %+v", got, w)
	}
}

// TestStockhamFLOPsNearNominal: radix 8 takes fewer FLOPs than the nominal
// count, the factors between the steps more.
func TestStockhamFLOPsNearNominal(t *testing.T) {
	for n := minN; n <= maxN; n *= 2 {
		for _, k := range kernelsFor[complex64]() {
			s := newStockhamCPU[complex64](k, n, 16, false, 1, tileKiB<<10)
			nominal := 5 * float64(16*n) * float64(bits.Len(uint(n))-1)
			if r := float64(s.Work().FLOPs) / nominal; r < 0.6 || r > 1.2 {
				t.Errorf("N %d %s: %.2f of the nominal FLOPs", n, k.name, r)
			}
			s.Close()
			if n > 1<<14 {
				break
			}
		}
	}
}

func TestLaneOrderIsAPermutation(t *testing.T) {
	for _, k := range slices.Concat(kernelsFor[complex64](), kernelsFor[complex128]()) {
		order := slices.Sorted(slices.Values(k.order))
		for i, q := range order {
			if len(order) != k.lanes || q != i {
				t.Errorf("%s with %d lanes: order %v", k.name, k.lanes, k.order)
				break
			}
		}
	}
}

func ExampleFactory() {
	for _, v := range Factory().Versions {
		if v.Processor == framework.CPU {
			fmt.Println(v.Name)
		}
	}
	// Output:
	// reference
	// stockham
	// fftw
}

// Rows of every size in the cache give right transforms, in one step and in two.
func TestEveryTile(t *testing.T) {
	v := Factory().VersionOn("stockham", framework.CPU)
	for i, x := range v.Tunables[0].Values {
		for _, n := range []int64{256, 1 << 14} {
			params := framework.Values{"N": framework.IntValue(n), "batch_elements": framework.IntValue(2 * n), "precision": framework.TextValue([]string{"f32", "f64"}[i%2])}
			algorithmtest.Solve(t, Factory(), nil, v.Name, params, framework.Values{"TILE": framework.IntValue(x)})
		}
	}
}
