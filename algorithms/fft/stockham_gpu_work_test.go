package fft

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// TestWorkMatchesProfiler compares the hand counts with what Nsight Compute
// 2025.3.1 counted on an NVIDIA H200 for 2^26 elements, kernels compiled by
// NVRTC 13.0: FLOPs are smsp__sass_thread_inst_executed_op_fadd, _fmul and
// twice _ffma (_pred_on.sum), loads smsp__sass_data_bytes_mem_global_op_ld and
// _ldgsts, stores …_op_st.
func TestWorkMatchesProfiler(t *testing.T) {
	const stores = 536870912
	type counted struct{ flops, loads, stores int64 }
	for _, x := range []struct {
		n      int
		v      framework.Values
		stages []counted
	}{
		{1 << 10, tunables(1024, 16, 64, 16, 1, 16), []counted{{2785017856, 872415232, stores}}},
		{1 << 13, tunables(8192, 32, 256, 32, 0, 2), []counted{{3762290688, 822083584, stores}}},
		{1 << 14, ahead(16384, 32, 32, 1, 1), []counted{{4106223616, 754974720, stores}}},
		{1 << 16, tunables(8192, 16, 512, 16, 1, 2), []counted{{2113929216, 603979776, stores}, {3011510272, 666435584, stores}}},
		{1 << 20, tunables(16384, 32, 512, 32, 1, 1), []counted{{2722103296, 620756992, stores}, {3661627392, 559555072, stores}}},
		{1 << 22, tunables(16384, 16, 1024, 16, 1, 1), []counted{{3154116608, 754974720, stores}, {4227858432, 590014464, stores}}},
	} {
		stages, err := plan(x.n, false, x.v)
		if err != nil {
			t.Fatal(err)
		}
		if len(stages) != len(x.stages) {
			t.Fatalf("N = %d: %d stages, want %d", x.n, len(stages), len(x.stages))
		}
		for i, want := range x.stages {
			w := stages[i].work(1 << 26 / x.n)
			for _, c := range []struct {
				name      string
				got, want int64
			}{{"FLOPs", w.FLOPs, want.flops}, {"load bytes", w.LoadBytes, want.loads}, {"store bytes", w.StoreBytes, want.stores}} {
				if d := math.Abs(float64(c.got)/float64(c.want) - 1); d > 0.001 {
					t.Errorf("N = %d, kernel %d: %s are %d, the profiler's %d: %.2f %% off", x.n, i+1, c.name, c.got, c.want, 100*d)
				}
			}
		}
	}
}
