//go:build gpu

package clock

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gocarina/gocsv"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

//go:embed kernels.cu
var kernels string

//go:embed control.cu
var control string

var (
	out    = flag.String("out", "", "folder for clock.csv and clock.md")
	rounds = flag.Int("rounds", 3, "times that each tool runs, in turn")
)

const copyBytes = 1 << 30 // as in control.cu

// cases are the kernels by the control's convention: 0 iterations are the
// empty kernel, -1 is the copy.
var cases = []struct {
	name       string
	iterations int32
}{{"empty", 0}, {"5 us", 2_000}, {"50 us", 22_000}, {"5 ms", 2_240_000}, {"1 GiB copy", -1}}

// one launches one kernel a run.
type one struct {
	framework.BaseAlgorithm
	stream gpu.Stream
	kernel gpu.Kernel
	shape  gpu.Launch
	args   []any
}

func (o *one) Run() error         { return o.kernel.Launch(o.stream, o.shape, o.args...) }
func (o *one) Stream() gpu.Stream { return o.stream }

func TestBenchAgreesWithControl(t *testing.T) {
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		if nvcc, err = exec.LookPath("/usr/local/cuda/bin/nvcc"); err != nil {
			t.Fatal("this test needs nvcc, which builds the control program")
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	gpu, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gpu.Close() })
	folder := t.TempDir()
	for name, text := range map[string]string{"kernels.cu": kernels, "control.cu": control} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(folder, "control")
	if text, err := exec.Command(nvcc, "-O3", "-std=c++17", "-arch="+gpu.Facts().Arch(), "-o", program, filepath.Join(folder, "control.cu")).CombinedOutput(); err != nil {
		t.Fatalf("build the control program: %v\n%s", err, text)
	}

	algorithms := prepare(t, gpu)
	timer, err := measure.NewGPUTimer(gpu, config.Measure{
		MinSamples: 10, MinTime: 0.5, Noise: 0.005, Timeout: 15, ClockFraction: 0.75,
		Flush: config.FlushDirty, // as the control does
	})
	if err != nil {
		t.Fatal(err)
	}
	defer timer.Close()

	var theirs, ours []Reading
	for range *rounds {
		theirs = append(theirs, runControl(t, program)...)
		ours = append(ours, runBench(t, timer, algorithms)...)
	}
	rows, err := compare(theirs, ours)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := writeTable(&table, rows); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, event pair %.2f µs, medians of %d rounds\n%s", gpu.Facts().Name, timer.Overhead*1e6, *rounds, &table)
	for _, r := range rows {
		if !r.Agree {
			t.Errorf("%s %s: control %.3f µs, bench %.3f µs", r.Kernel, r.Mode, r.Control*1e6, r.Bench*1e6)
		}
	}
	if *out == "" {
		return
	}
	var csv bytes.Buffer
	if err := writeCSV(&csv, rows); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"clock.csv": csv.Bytes(), "clock.md": table.Bytes()} {
		if err := os.WriteFile(filepath.Join(*out, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func prepare(t *testing.T, g *driver.GPU) []*one {
	t.Helper()
	module, err := g.Compile(gpu.Source{Name: "kernels.cu", Text: kernels})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := g.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	kernel := func(name string) gpu.Kernel {
		k, err := module.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	alloc := func() gpu.Pointer {
		p, err := g.Alloc(copyBytes)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { g.Free(p) })
		return p
	}
	sms := g.Facts().Multiprocessors
	in, to := alloc(), alloc()
	err = kernel("fill").Launch(stream, gpu.Launch{Grid: gpu.Dim3{X: 8 * sms}, Block: gpu.Dim3{X: 256}}, in, int64(copyBytes/4))
	if err != nil {
		t.Fatal(err)
	}
	var algorithms []*one
	for _, c := range cases {
		o := &one{stream: stream}
		switch {
		case c.iterations < 0:
			o.kernel, o.args = kernel("copy"), []any{to, in, int64(copyBytes / 16)}
			o.shape = gpu.Launch{Grid: gpu.Dim3{X: copyBytes / 16 / 256}, Block: gpu.Dim3{X: 256}}
		case c.iterations == 0:
			o.kernel = kernel("empty")
		default:
			o.kernel, o.args = kernel("chain"), []any{gpu.Pointer(0), c.iterations}
			o.shape = gpu.Launch{Grid: gpu.Dim3{X: sms}, Block: gpu.Dim3{X: 128}}
		}
		algorithms = append(algorithms, o)
	}
	return algorithms
}

func runControl(t *testing.T, program string) []Reading {
	t.Helper()
	var args []string
	for _, c := range cases {
		args = append(args, fmt.Sprintf("%s=%d", c.name, c.iterations))
	}
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		t.Fatalf("control program: %v\n%s", err, text)
	}
	var readings []Reading
	if err := gocsv.UnmarshalBytes(text, &readings); err != nil {
		t.Fatalf("control program: %v in\n%s", err, text)
	}
	return readings
}

func runBench(t *testing.T, timer *measure.GPUTimer, algorithms []*one) []Reading {
	t.Helper()
	var readings []Reading
	for i, a := range algorithms {
		for _, mode := range []struct {
			name string
			time func(framework.GPUAlgorithm) (*measure.Series, error)
		}{{"cold", timer.Cold}, {"hot", timer.Hot}} {
			s, err := mode.time(a)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-10s %-4s %d samples, batch %d, %d dropped, %.0f MHz, %s", cases[i].name, mode.name, len(s.Samples), s.Batch, s.Dropped, s.ClockHz/1e6, s.Stop)
			readings = append(readings, Reading{cases[i].name, mode.name, stats.Summarize(s.Samples).Median, len(s.Samples)})
		}
	}
	if notes := timer.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	return readings
}
