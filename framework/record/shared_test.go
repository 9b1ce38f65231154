package record

import (
	"fmt"
	"runtime"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// alike are results of so many points, of which an energy was measured that all have in
// common, with so many samples each.
func alike(rows, samples int) (results []Result) {
	for i := range rows {
		s := &measure.Series{Batch: 1, Converged: true, Stop: "noise below 0.5 %"}
		for k := range samples {
			s.Samples = append(s.Samples, 1e-6*float64(i+k+1))
		}
		energy := &measure.Energy{Window: 2, Runs: 1000, Channels: []measure.ChannelEnergy{{Sensor: "rapl", Channel: "package", Role: "total", Power: 30, Energy: 60}}}
		results = append(results, Result{Status: OK, Hot: s, Energy: energy, Elapsed: 0.5,
			Point: plan.Point{ID: i, Algorithm: "fft", Version: "v", Processor: framework.CPU, Device: "cpu", ParamOrder: []string{"N", "precision"},
				Params: framework.Values{"N": framework.IntValue(int64(i)), "precision": framework.TextValue("f32")}}})
	}
	return results
}

// A part that consecutive rows have in common is kept once; what other rows have is not
// changed by it.
func TestRowsShareParts(t *testing.T) {
	results := alike(60, 8)
	for i := 40; i < len(results); i++ {
		results[i].Energy.Channels[0].Power, results[i].Energy.Channels[0].Energy = 15, 30
	}
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "p", nil, results)); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	powers, energies := map[*Power]int{}, map[*Energy]int{}
	for i, w := range r.Rows {
		powers[w.Power.of]++
		energies[w.Energy.of]++
		if want := []float64{30, 15}[i/40]; w.Power.Get().Total.Float() != want {
			t.Fatalf("row %d: %v W, want %v", i, w.Power.Get().Total, want)
		}
		if w.Hot.of != nil || w.Rate.of != nil || w.Counting.of != nil {
			t.Fatalf("row %d keeps a part that it lacks", i)
		}
	}
	if len(powers) != 2 || len(energies) != 2 {
		t.Errorf("%d powers and %d energies are kept, want 2 of each", len(powers), len(energies))
	}
}

// What a row's parameters take does not grow with their names, which all rows share: with
// long ones rows take as much as with short ones.
func TestRowsShareNames(t *testing.T) {
	held := func(name string) float64 {
		const rows = 2000
		results := alike(rows, 8)
		for i := range results {
			p := &results[i].Point
			p.ParamOrder, p.Params = []string{name}, framework.Values{name: framework.IntValue(int64(i))}
		}
		return heldOf(t, results) / rows
	}
	long := ""
	for range 100 {
		long += "a_long_name_"
	}
	short, grown := held("N"), held(long)
	if t.Logf("%.0f and %.0f bytes a row", short, grown); grown > short+100 {
		t.Errorf("%.0f bytes a row, and %.0f with a name of %d bytes; want as many", short, grown, len(long))
	}
}

// A sample takes the 8 bytes of its time, and a quarter more where a slice has grown.
func TestSamplesAreTimes(t *testing.T) {
	const rows, more = 1000, 64
	few, many := heldOf(t, alike(rows, 8)), heldOf(t, alike(rows, 8+more))
	if each := (many - few) / (rows * more); each > 12 {
		t.Errorf("a sample takes %.1f bytes, want 8 to 10", each)
	}
}

// heldOf is what a run of these results keeps with its samples once it is read, in bytes.
func heldOf(t *testing.T, results []Result) float64 {
	t.Helper()
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "p", nil, results)); err != nil {
		t.Fatal(err)
	}
	rows := len(results)
	clear(results)
	before := heap()
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := ReadSamples(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	after := heap()
	runtime.KeepAlive(samples)
	if len(r.Rows) != rows {
		t.Fatal(fmt.Sprint(len(r.Rows), " rows"))
	}
	return after - before
}
