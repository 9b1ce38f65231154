package literature

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// table1 is "Observations on the optimum sub-system size" of partition, on an
// RTX 2080 Ti in FP64: the size N, the optimum m, CUDA streams, milliseconds
// with it; and where the trend asks for another m, that and its milliseconds.
var table1 = []struct {
	n, m, streams int64
	milliseconds  float64
	correctedM    int64
	correctedMs   float64 // 0: not corrected
}{
	{100, 4, 1, 0.310275, 4, 0},
	{200, 4, 1, 0.315868, 4, 0},
	{400, 4, 1, 0.327477, 4, 0},
	{500, 4, 1, 0.325367, 4, 0},
	{800, 4, 1, 0.340679, 4, 0},
	{1000, 4, 1, 0.331446, 4, 0},
	{2000, 4, 1, 0.351094, 4, 0},
	{4000, 4, 1, 0.373837, 4, 0},
	{4500, 4, 1, 0.385070, 4, 0},
	{5000, 8, 1, 0.380488, 8, 0},
	{8000, 8, 1, 0.424161, 8, 0},
	{10000, 8, 1, 0.438337, 8, 0},
	{20000, 8, 1, 0.536961, 8, 0},
	{25000, 8, 1, 0.591000, 8, 0},
	{30000, 16, 1, 0.614149, 16, 0},
	{40000, 16, 1, 0.711075, 16, 0},
	{50000, 16, 1, 0.785274, 16, 0},
	{60000, 20, 1, 0.874056, 20, 0},
	{70000, 35, 1, 0.956710, 20, 0.957520},
	{75000, 40, 1, 0.995135, 20, 1.002325},
	{80000, 32, 1, 1.034019, 32, 0},
	{100000, 40, 1, 1.195640, 32, 1.196261},
	{200000, 64, 2, 1.857711, 32, 1.931349},
	{400000, 64, 4, 3.270235, 32, 3.339023},
	{500000, 40, 8, 4.043336, 32, 4.089002},
	{800000, 64, 8, 6.055748, 32, 6.237866},
	{1000000, 32, 8, 7.635039, 32, 0},
	{2000000, 32, 16, 14.49496, 32, 0},
	{4000000, 32, 32, 27.83609, 32, 0},
	{5000000, 32, 32, 34.51819, 32, 0},
	{8000000, 64, 32, 53.92044, 32, 54.36878},
	{10000000, 32, 32, 66.71282, 32, 0},
	{20000000, 64, 32, 131.0139, 64, 0},
	{40000000, 64, 32, 259.8288, 64, 0},
	{50000000, 64, 32, 323.7364, 64, 0},
	{80000000, 64, 32, 516.1501, 64, 0},
	{100000000, 64, 32, 643.1100, 64, 0},
}

// table3 are the optima on two more cards, FP64, from N = 10² on in the order
// of table1, and the time lost by table1's corrected m in percent: 0 where
// none is given, small where the source says so.
var table3 = []struct {
	n             int64
	a5000         int64
	a5000Lost     float64
	rtx4080       int64
	rtx4080Lost   float64
	corrected2080 int64
}{
	{100, 4, 0, 4, 0, 4},
	{200, 4, 0, 4, 0, 4},
	{400, 4, 0, 4, 0, 4},
	{500, 4, 0, 4, 0, 4},
	{800, 4, 0, 8, small, 4},
	{1000, 4, 0, 4, 0, 4},
	{2000, 4, 0, 4, 0, 4},
	{4000, 8, small, 8, small, 4},
	{4500, 4, 0, 4, 0, 4},
	{5000, 4, small, 4, small, 8},
	{8000, 8, 0, 4, small, 8},
	{10000, 8, 0, 8, 0, 8},
	{20000, 8, 0, 16, small, 8},
	{25000, 8, 0, 8, 0, 8},
	{30000, 16, 0, 16, 0, 16},
	{40000, 16, 0, 16, 0, 16},
	{50000, 16, 0, 16, 0, 16},
	{60000, 32, 2.65, 40, small, 20},
	{70000, 20, 0, 20, 0, 20},
	{75000, 20, 0, 40, small, 20},
	{80000, 40, small, 32, 0, 32},
	{100000, 32, 0, 32, 0, 32},
	{200000, 64, 6.26, 64, 4.59, 32},
	{400000, 64, 3.54, 64, small, 32},
	{500000, 40, 2.38, 40, 4.19, 32},
	{800000, 64, 6.03, 64, 2.50, 32},
	{1000000, 64, 9.44, 64, 7.13, 32},
	{2000000, 64, 8.15, 64, 6.00, 32},
	{4000000, 64, 5.60, 64, 6.90, 32},
	{5000000, 64, 3.65, 64, 5.66, 32},
	{8000000, 64, 5.63, 64, 7.09, 32},
	{10000000, 64, 6.06, 64, 6.75, 32},
	{20000000, 64, 0, 64, 0, 64},
	{40000000, 64, 0, 64, 0, 64},
	{50000000, 64, 0, 64, 0, 64},
	{80000000, 64, 0, 64, 0, 64},
	{100000000, 64, 0, 64, 0, 64},
}

const small = -1

func partitionRow(version, precision string, n, m int64) record.Row {
	w := gpuRow("tridiagonal", version)
	w.Params = framework.SettingsOf(framework.Values{"N": framework.IntValue(n), "precision": framework.TextValue(precision)}, nil)
	w.Tunables = framework.SettingsOf(framework.Values{"m": framework.IntValue(m)}, nil)
	return w
}

// partitions are the runs of Tables 1 and 3. Those of Table 3 have no times:
// the source gives the optimum and what another choice loses.
func partitions() []printedRun {
	var rows []record.Row
	for _, t := range table1 {
		w := partitionRow("partition", "f64", t.n, t.m)
		w.Tunables = w.Tunables.With("streams", framework.IntValue(t.streams))
		w.Time.Median = thousandth(t.milliseconds)
		w.Verification.Notes = "Table 1; optimum m as observed"
		rows = append(rows, w)
		if t.correctedMs == 0 {
			continue
		}
		w = partitionRow("partition_corrected", "f64", t.n, t.correctedM)
		w.Tunables = w.Tunables.With("streams", framework.IntValue(t.streams))
		w.Time.Median = thousandth(t.correctedMs)
		w.Verification.Notes = "Table 1; m corrected to the trend over N"
		rows = append(rows, w)
	}
	first := newRun(partition, "tridiagonal", card("NVIDIA GeForce RTX 2080 Ti", 7, 5), rows, []string{"N", "precision"}, []string{"m", "streams"})
	first.Axes = axisN(rows)
	list := []printedRun{{"rtx2080ti-partition", first}}
	for i, c := range []board{card("NVIDIA RTX A5000", 8, 6), card("NVIDIA GeForce RTX 4080", 8, 9)} {
		rows := make([]record.Row, 0, len(table3))
		for _, t := range table3 {
			m, lost := t.a5000, t.a5000Lost
			if i == 1 {
				m, lost = t.rtx4080, t.rtx4080Lost
			}
			w := partitionRow("partition", "f64", t.n, m)
			w.Verification.Notes = "Table 3; optimum m, no time given" + loss(t.corrected2080, lost)
			rows = append(rows, w)
		}
		r := newRun(partition, "tridiagonal", c, rows, []string{"N", "precision"}, []string{"m"})
		r.Axes = axisN(rows)
		list = append(list, printedRun{[]string{"rtxa5000-partition", "rtx4080-partition"}[i], r})
	}
	return list
}

func loss(m int64, percent float64) string {
	switch percent {
	case 0:
		return ""
	case small:
		return fmt.Sprintf("; m %d, right for the RTX 2080 Ti, loses little", m)
	}
	return fmt.Sprintf("; m %d, right for the RTX 2080 Ti, loses %.2f %%", m, percent)
}
