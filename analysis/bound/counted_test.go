package bound

import (
	"math"
	"testing"

	"example.org/bench/framework/record"
)

func TestCountsBesideTheModel(t *testing.T) {
	w := Why{Time: 1e-3, Kernels: []Kernel{{Launches: 2, MemoryBytes: 5e8, Mix: map[string]float64{"fp32": 1e6, "integer": 2e6}}}}
	row := &record.Row{Counters: map[string]float64{"dram__bytes_read.sum": 9e8, "dram__bytes_write.sum": 1e8, "dram__bytes.sum": 1.2e9,
		"smsp__inst_executed.sum": 5e6, "lts__t_sectors_op_read.sum": 1e8, "lts__t_sectors_op_write.sum": 2e7, "sm__throughput.avg.pct_of_peak_sustained_elapsed": 12.5}}
	c := CountsOf(w, row, record.Ceilings{Copy: 2e12, L2: 8e12})
	texts := map[string]string{}
	for _, x := range c.Counters {
		texts[x.Name] = x.Text()
	}
	for name, want := range map[string]string{
		"dram__bytes.sum":                                  "dram__bytes.sum 1.2 G (1 G by the model)",
		"smsp__inst_executed.sum":                          "smsp__inst_executed.sum 5 M (6 M by the model)",
		"sm__throughput.avg.pct_of_peak_sustained_elapsed": "sm__throughput.avg.pct_of_peak_sustained_elapsed 12.5",
	} {
		if texts[name] != want {
			t.Errorf("%q, want %q", texts[name], want)
		}
	}
	// The sum of both directions comes first; a sector has 32 bytes.
	if len(c.Uses) != 2 || math.Abs(c.Uses[0].Share-0.6) > 1e-9 || math.Abs(c.Uses[1].Share-0.48) > 1e-9 || c.Uses[1].Class != L2 {
		t.Errorf("uses %+v", c.Uses)
	}
	if CountsOf(w, &record.Row{}, record.Ceilings{}) != nil {
		t.Error("counts of a row without any")
	}
}
