// Package cells writes a run whose cells are hard to write, for what exports one and for
// what reads it elsewhere.
package cells

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// Point is a result whose times are by the factor longer than 1 ms, 1.001 ms and so on.
func Point(id int, version string, n int64, factor float64) record.Result {
	s := &measure.Series{Batch: 4, Converged: true}
	for i := range 12 {
		s.Samples = append(s.Samples, 1e-3*factor*(1+1e-3*float64(i*5%12)))
	}
	return record.Result{
		Point: plan.Point{ID: id, Algorithm: "fft", Version: version, Processor: framework.CPU, Device: "cpu",
			Params: framework.Values{"N": framework.IntValue(n)}, ParamOrder: []string{"N"}},
		Status: record.OK, Hot: s, Work: framework.Work{NominalFLOPs: 5 * n, NominalBytes: 16 * n},
	}
}

// Run leaves the files of a run in a new temporary folder, which it returns.
func Run(t *testing.T, factor float64) string {
	t.Helper()
	measured := Point(0, "stockham", 64, factor)
	measured.Point.Tunables, measured.Point.TunableOrder = framework.Values{"P": framework.FloatValue(2.5)}, []string{"P"}
	measured.Energy = &measure.Energy{Window: 2, Runs: 1000, Channels: []measure.ChannelEnergy{{Sensor: "rapl", Channel: "package", Role: "total", Power: 30, Energy: 60}}}
	wrong := Point(1, "a b/c", 1<<60, factor)
	wrong.Status, wrong.Reason, wrong.Hot = record.Wrong, "\"NaN\",\nµ", nil
	wrong.Checks = []framework.Check{{Metric: "error", Error: math.NaN(), Bound: 1}}
	info := record.Info{Tool: record.Tool{Version: "v1", Platform: "linux/amd64"}, Started: time.Unix(1700000000, 0)}
	info.Machine.CPU = "a  CPU"
	dir := filepath.Join(t.TempDir(), "fft")
	if err := record.Write(dir, record.NewRun(info, "fft", nil, []record.Result{measured, wrong, Point(2, "fftw", 64, 2*factor)})); err != nil {
		t.Fatal(err)
	}
	return dir
}
