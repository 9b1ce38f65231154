package literature

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// none marks rows of optimaFP32 without an optimum in FP64 in the source.
const none int64 = -1

// optimaFP32 is "Observations on the optimum sub-system size, FP32" of partition,
// which gives no times: the size N, the optimum m; the optimum in FP64 where
// the source adds it; CUDA streams; m corrected to the trend over N, and the
// milliseconds by which the optimum is faster, as printed, where they differ.
var optimaFP32 = []struct {
	n, m, f64, streams, corrected int64
	difference                    float64
}{
	{100, 4, 0, 1, 4, 0},
	{200, 4, 0, 1, 4, 0},
	{400, 4, 0, 1, 4, 0},
	{500, 4, 0, 1, 4, 0},
	{800, 4, 0, 1, 4, 0},
	{1000, 4, 0, 1, 4, 0},
	{2000, 4, 0, 1, 4, 0},
	{4000, 4, 0, 1, 4, 0},
	{4500, 4, 0, 1, 4, 0},
	{5000, 8, 0, 1, 8, 0},
	{8000, 8, 0, 1, 8, 0},
	{10000, 8, 0, 1, 8, 0},
	{20000, 16, 8, 1, 8, -0.016753},
	{25000, 20, 8, 1, 8, -0.005121},
	{30000, 16, 0, 1, 16, 0},
	{40000, 16, 0, 1, 16, 0},
	{50000, 16, 0, 1, 16, 0},
	{60000, 16, 20, 1, 16, 0},
	{70000, 16, 35, 1, 16, 0},
	{72000, 32, none, 1, 32, 0},
	{80000, 32, 0, 1, 32, 0},
	{100000, 32, 40, 1, 32, 0},
	{200000, 64, 0, 2, 32, -0.052007},
	{400000, 64, 0, 4, 32, -0.03352},
	{500000, 40, 0, 8, 32, -0.03166},
	{600000, 64, none, 8, 32, -0.034738},
	{700000, 40, none, 8, 32, -0.148239},
	{720000, 64, none, 8, 64, 0},
	{800000, 64, 0, 8, 64, 0},
	{1000000, 64, 32, 8, 64, 0},
	{2000000, 64, 32, 16, 64, 0},
	{4000000, 64, 32, 32, 64, 0},
	{5000000, 64, 32, 32, 64, 0},
	{8000000, 64, 0, 32, 64, 0},
	{10000000, 64, 32, 32, 64, 0},
	{20000000, 64, 0, 32, 64, 0},
	{40000000, 40, 64, 32, 64, -5.0433},
	{50000000, 40, 64, 32, 64, -4.0701},
	{80000000, 40, 64, 32, 64, -7.1318},
	{100000000, 40, 64, 32, 64, -11.3864},
}

// recursionSteps are the intervals of N in which a number of recursive steps is the
// fastest, on an RTX A5000, and recursionSizes the sizes that were tried.
var recursionSteps = []struct{ steps, from, to int64 }{
	{0, 0, 2_200_000},
	{1, 2_300_000, 4_800_000},
	{2, 5_000_000, 9_600_000},
	{3, 10_000_000, 100_000_000},
}

var recursionSizes = []int64{100_000, 1_000_000, 2_000_000, 2_200_000, 2_300_000, 2_400_000, 2_500_000, 3_000_000, 4_000_000, 4_500_000, 4_800_000,
	5_000_000, 8_000_000, 8_400_000, 9_200_000, 9_600_000, 10_000_000, 100_000_000}

// partitionsFP32 is the run of Table 4, recursions that of Table 2. Both are
// optima without times.
func partitionsFP32() printedRun {
	var rows []record.Row
	for _, t := range optimaFP32 {
		w := partitionRow("partition", "f32", t.n, t.m)
		w.Tunables = w.Tunables.With("streams", framework.IntValue(t.streams))
		w.Verification.Notes = "Table 4; optimum m, no time given"
		if t.corrected != t.m {
			w.Verification.Notes += fmt.Sprintf("; m %d, corrected to the trend over N, takes %g ms more", t.corrected, -t.difference)
		}
		rows = append(rows, w)
	}
	for _, t := range optimaFP32 {
		if t.corrected == t.m {
			continue
		}
		w := partitionRow("partition_corrected", "f32", t.n, t.corrected)
		w.Tunables = w.Tunables.With("streams", framework.IntValue(t.streams))
		w.Verification.Notes = "Table 4; m corrected to the trend over N, no time given"
		rows = append(rows, w)
	}
	r := newRun(partition, "tridiagonal", card("NVIDIA GeForce RTX 2080 Ti", 7, 5), rows, []string{"N", "precision"}, []string{"m", "streams"})
	r.Axes = axisN(rows)
	return printedRun{"rtx2080ti-partition-f32", r}
}

func recursions() printedRun {
	var rows []record.Row
	for _, n := range recursionSizes {
		for _, t := range recursionSteps {
			if n < t.from || n > t.to {
				continue
			}
			w := partitionRow("recursive", "f64", n, 0)
			w.Tunables = framework.SettingsOf(framework.Values{"R": framework.IntValue(t.steps)}, nil)
			w.Verification.Notes = "Table 2; optimum number of recursive steps, no time given"
			rows = append(rows, w)
		}
	}
	r := newRun(partition, "tridiagonal", card("NVIDIA RTX A5000", 8, 6), rows, []string{"N", "precision"}, []string{"R"})
	r.Axes = axisN(rows)
	return printedRun{"rtxa5000-recursion", r}
}
