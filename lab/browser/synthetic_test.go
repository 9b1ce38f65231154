package browser

import (
	"math/rand/v2"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// mixedRun is the folder of a run of one problem with power: a fast version, a frugal
// one and one that is neither, and versions that are wrong and that failed.
func mixedRun(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var results []record.Result
	ids := 0
	point := func(version string) plan.Point {
		ids++
		return plan.Point{ID: ids - 1, Algorithm: "toy", Version: version, Processor: framework.GPU, Device: "cuda:0",
			Params: framework.Values{"N": framework.IntValue(1024)}, ParamOrder: []string{"N"}}
	}
	for _, v := range []struct {
		name           string
		seconds, watts float64
	}{{"fast", 1e-3, 400}, {"frugal", 2e-3, 120}, {"neither", 3e-3, 300}} {
		series := &measure.Series{Batch: 1, Converged: true, Stop: "median known"}
		for range 200 {
			series.Samples = append(series.Samples, v.seconds*(1+0.01*random.NormFloat64()))
		}
		runs := int64(1 / v.seconds)
		energy := &measure.Energy{Window: 1, Runs: runs, Period: 0.01, Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "board", Role: framework.Total, Power: v.watts, Idle: 60,
			Energy: v.watts, Uncertainty: v.watts / 100, Readings: 100, Fresh: 100, Period: 0.01}}}
		for i := range 150 {
			w := 60.0
			if i >= 50 {
				w = v.watts
			}
			energy.Samples = append(energy.Samples, measure.PowerSample{Time: float64(i-50) / 100, Sensor: "nvml", Channel: "board", Value: w})
		}
		results = append(results, record.Result{Point: point(v.name), Status: record.OK, Work: framework.Work{NominalFLOPs: 1e9, NominalBytes: 1e8}, Cold: series, Energy: energy})
	}
	results = append(results,
		record.Result{Point: point("broken"), Status: record.Wrong, Reason: "largest element error 0.5, bound 1e-6"},
		record.Result{Point: point("hungry"), Status: record.Failed, Reason: "out of memory: 300 GB asked for"})
	info := record.Info{Tool: record.ThisTool(), Command: []string{"bench", "run", "toy.json"}, Config: record.ConfigFile{Path: "toy.json", Text: "{}"}}
	info.Devices = []record.Device{{ID: "cuda:0", Ceilings: record.Ceilings{Copy: 1e12, FMA: 1e13}}}
	dir := t.TempDir()
	if err := record.Write(dir, record.NewRun(info, "toy", []plan.Axis{{Name: "N", Count: 1}}, results)); err != nil {
		t.Fatal(err)
	}
	return dir
}
