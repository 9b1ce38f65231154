package export

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/test/cells"
)

// benchmarks reads what is written of results, by another reader: values by name and
// unit, in their order.
func benchmarks(t *testing.T, info record.Info, results ...record.Result) (values map[string]map[string][]float64, config map[string]string, loss string) {
	t.Helper()
	r := record.NewRun(info, "fft", nil, results)
	var b bytes.Buffer
	loss, err := writeBenchmarks(&b, t.TempDir(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	values, config = map[string]map[string][]float64{}, map[string]string{}
	in := benchfmt.NewReader(&b, "file")
	for in.Scan() {
		switch x := in.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Errorf("%v", x)
		case *benchfmt.Result:
			if x.Values[0].Unit == timeUnit && x.Iters != 4 { // runs averaged in a sample
				t.Errorf("%s: %d iterations", x.Name, x.Iters)
			}
			if values[x.Name.String()] == nil {
				values[x.Name.String()] = map[string][]float64{}
			}
			for _, v := range x.Values {
				values[x.Name.String()][v.Unit] = append(values[x.Name.String()][v.Unit], v.Value)
			}
			for _, c := range x.Config {
				config[c.Key] = string(c.Value)
			}
		}
	}
	return values, config, loss
}

func TestBenchmarkOfEachSample(t *testing.T) {
	gpu := cells.Point(0, "stockham", 64, 1)
	gpu.Point.Processor, gpu.Point.Device, gpu.Point.PowerMode = framework.GPU, "cuda:0", "MAXN"
	gpu.Cold, gpu.Hot = gpu.Hot, &measure.Series{Samples: []float64{5e-4, 6e-4}}
	gpu.Energy = &measure.Energy{Window: 2, Runs: 1000, Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "gpu", Role: "total", Power: 30, Energy: 60}}}
	failed := cells.Point(1, "fftw", 64, 1)
	failed.Status = record.Failed
	values, config, loss := benchmarks(t, record.Info{Tool: record.Tool{Platform: "linux/arm64"}}, gpu, failed)
	got := values["Fft/N=64/version=stockham/power_mode=MAXN/device=cuda:0"]
	if len(values) != 1 || !slices.Equal(got[timeUnit], gpu.Cold.Samples) || !slices.Equal(got[hotUnit], gpu.Hot.Samples) {
		t.Errorf("%v", values)
	}
	if !slices.Equal(got[energyUnit], []float64{0.06}) || !slices.Equal(got[powerUnit], []float64{30}) || !slices.Equal(got[flopUnit], []float64{320}) || !slices.Equal(got[bytesUnit], []float64{1024}) {
		t.Errorf("%v", got)
	}
	if config["goos"] != "linux" || config["goarch"] != "arm64" || loss != "points of which no time is recorded are left out: 1 failed" {
		t.Errorf("%v, %q", config, loss)
	}
}

// Each of several processes gives one value: its samples are not independent.
func TestBenchmarkOfEachInstance(t *testing.T) {
	var results []record.Result
	for i, factor := range []float64{1, 2, 3} {
		r := cells.Point(0, "v", 64, factor)
		r.Point.Instance = i
		results = append(results, r)
	}
	values, _, _ := benchmarks(t, record.Info{}, results...)
	want := 1e-3 * 1.0055
	got := values["Fft/N=64/version=v/device=cpu"][timeUnit]
	if len(got) != 3 {
		t.Fatalf("%v", values)
	}
	for i, x := range got {
		if math.Abs(x/(want*float64(i+1))-1) > 1e-9 {
			t.Errorf("instance %d: %v", i, x)
		}
	}
}

func TestBenchmarkNames(t *testing.T) {
	r := cells.Point(0, "a b/c%\n", 64, 1)
	r.Point.Algorithm = "ünder"
	r.Point.PowerMode = "15W-2"
	r.Point.Device = "board-7"
	values, _, _ := benchmarks(t, record.Info{}, r)
	if want := "Ünder/N=64/version=a%20b%2Fc%25%0A/power_mode=15W-2/device=board%2D7"; values[want] == nil {
		t.Errorf("%v, want %s", values, want)
	}
}

// A point at a rate has latencies; a publication's ratios are not called seconds, and
// need no samples.
func TestBenchmarksWithoutTimes(t *testing.T) {
	r := cells.Point(0, "v", 64, 1)
	r.Hot, r.Rate = nil, &measure.Released{Rate: 60, Releases: 10, Misses: 1, Worst: 0.25, Latency: []measure.Percentile{{Value: 0.125}}}
	values, _, _ := benchmarks(t, record.Info{}, r)
	got := values["Fft/N=64/version=v/device=cpu"]
	if !slices.Equal(got["latency-p50-sec"], []float64{0.125}) || !slices.Equal(got["latency-worst-sec"], []float64{0.25}) || !slices.Equal(got["miss-share"], []float64{0.1}) || got[timeUnit] != nil {
		t.Errorf("%v", got)
	}
	dir := cells.Run(t, 1)
	if err := os.Remove(dir + "/fft_samples.csv.gz"); err != nil {
		t.Fatal(err)
	}
	published, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	published.Info.RelativeTo = "v"
	var b bytes.Buffer
	if _, err := writeBenchmarks(&b, dir, published, nil); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, " relative-time 320 nominal-flop/op") || strings.Contains(text, " "+timeUnit) {
		t.Errorf("%s", text)
	}
}
