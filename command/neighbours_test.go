package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
)

// TestNeighbours: a process that has the GPU open is named by the run and by doctor; if it
// works, every point is marked, its energy is in doubt, and compare judges none.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), `extern "C" __global__ void work_by_grid(long long cycles, float *y) { if (cycles < 0) y[blockIdx.x] = 1; }`)
	write(t, filepath.Join(dir, "y.bin"), strings.Repeat("\x00", 8192))
	write(t, filepath.Join(dir, "toy.json"), `{"algorithm": {"cuda": {"name": "toy", "source": "k.cu", "params": [{"name": "N", "default": 2048}],
		"arguments": [{"name": "cycles", "type": "i64", "value": 100}, {"name": "y", "type": "f32", "size": "N", "use": "output", "fill": {"constant": 0}}],
		"kernels": [{"name": "work_by_grid", "grid": "200", "block": 256}],
		"verify": {"files": {"y": "y.bin"}}}}, "output_file_prefix": "t", "sensors": ["nvml"],
		"measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 7, "timeout_s": 0.05, "cooldown_s": 0, "power_window_s": 0.3}}`)
	toy, err := os.ReadFile(filepath.Join(dir, "toy.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "tuned.json"), strings.Replace(string(toy), `"verify"`, `"tunables": [{"name": "B", "values": [1, 2]}], "verify"`, 1))
	write(t, filepath.Join(dir, "two.json"), strings.Replace(string(toy), `"verify"`, `"versions": [{"name": "one"}, {"name": "two"}], "verify"`, 1))
	folder := filepath.Dir(drivertest.Build(t, "ACROSS_PROCESSES", "NO_PARAM_INFO", "PACED").Path)
	nvml := exec.Command("gcc", "-shared", "-fPIC", "-w", "-DCOUNTS", "-o", filepath.Join(folder, "libnvidia-ml.so.1"), "../gpu/cuda/nvml/testdata/libnvml.c")
	if text, err := nvml.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// This process is the neighbour: it started bench, and bench did not start it.
	pid := os.Getpid()
	beside := func(percent int) string { return fmt.Sprintf("NVML_PROCESSES=%d:c:412:%d", pid, percent) }
	bench := func(more string, args ...string) string {
		env := append([]string{"LD_LIBRARY_PATH=" + folder + ":" + os.Getenv("LD_LIBRARY_PATH"), "BENCH_PLOTS=none"}, strings.Fields(more)...)
		status, out, errOut := executeWith(t, dir, env, benchPath, args...)
		if status != 0 {
			t.Errorf("%q: status %d\n%s%s", args, status, out, errOut)
		}
		return out
	}
	// On a busy machine a window may have no reading.
	read := func(want, env string, args ...string) (out string) {
		for range 5 {
			if out = bench(env, args...); strings.Contains(out, want) {
				break
			}
		}
		return out
	}
	process := fmt.Sprintf("(pid %d, 412 MiB", pid)
	turns := []string{"ab", "two.json", "--versions", "one,two", "--repeats", "3"}
	// Nearly all of the time is spent waiting for readings of the power, so all goes side by side.
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		if out := bench("NVML_PROCESSES=", "run", "toy.json", "--out", "alone"); strings.Contains(out, "shared") || strings.Contains(out, "others used") {
			t.Errorf("alone:\n%s", out)
		}
		if out := bench(beside(0), "run", "toy.json", "--out", "idle"); !strings.Contains(out, "shared: other processes: ") || !strings.Contains(out, process+")") || strings.Contains(out, "others used") {
			t.Errorf("beside an idle one:\n%s", out)
		}
		const inDoubt = "power and energy in doubt (?)"
		out := read(inDoubt, beside(96), "run", "toy.json", "--out", "busy")
		for _, want := range []string{"! others used the GPU at 1 of 1 point, which no comparison judges (at the first: ", process + ", 96 % of the SMs' time)", inDoubt} {
			if !strings.Contains(out, want) {
				t.Errorf("beside a busy one %q is missing:\n%s", want, out)
			}
		}
		if out := bench("", "compare", "alone", "busy"); !strings.Contains(out, "ratios are not judged: others used the GPU") {
			t.Errorf("compare:\n%s", out)
		}
		if out := bench("", "compare", "alone", "idle"); strings.Contains(out, "others used the GPU") {
			t.Errorf("compare with the run beside an idle one:\n%s", out)
		}
	})
	// In turns: the ratio is as it is, and energy is not compared.
	all.Go(func() {
		if out := bench("NVML_PROCESSES=", turns...); strings.Contains(out, "others used the GPU") {
			t.Errorf("ab, alone:\n%s", out)
		}
	})
	all.Go(func() {
		if out := read("energy, B/A", beside(0), turns...); strings.Contains(out, "others used the GPU") || !strings.Contains(out, "energy, B/A") {
			t.Errorf("ab, beside an idle one:\n%s", out)
		}
	})
	all.Go(func() {
		if out := bench(beside(96), turns...); !strings.Contains(out, "others used the GPU, so that ratios are nearer to 1: ") || !strings.Contains(out, process) ||
			!strings.Contains(out, "energy is not compared: others used the GPU") || strings.Contains(out, "energy, B/A") {
			t.Errorf("ab, beside a busy one:\n%s", out)
		}
	})
	// A command's energy.
	all.Go(func() {
		command := []string{"energy", "--out", "command", "--device", "cuda:0", "--sensors", "nvml", "--limit", "10", "--", "true"}
		if out := bench(beside(96), command...); !strings.Contains(out, "others used the GPU") || !strings.Contains(out, process) {
			t.Errorf("energy:\n%s", out)
		}
	})
	// Trials.
	all.Go(func() {
		if out := bench(beside(96), "tune", "tuned.json", "--out", "tuned", "--budget", "2", "--objective", "energy"); !strings.Contains(out, "others used the GPU during 2 of 2 trials (column gpu_shared)") || !strings.Contains(out, process) {
			t.Errorf("tune:\n%s", out)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "tuned", "trials.csv")); err != nil || strings.Count(string(text), process) != 2 {
			t.Errorf("trials, %v:\n%s", err, text)
		}
		if out := bench(beside(0), "tune", "tuned.json", "--out", "quiet", "--budget", "2"); strings.Contains(out, "others used the GPU") {
			t.Errorf("tune, beside an idle one:\n%s", out)
		}
	})
	// In another container it is not listed, and has slices of 2 ms.
	all.Go(func() {
		out := bench("NVML_PROCESSES=hidden STUB_SLICES=2000000:2000000", "run", "toy.json", "--out", "unlisted")
		if !strings.Contains(out, "! others used the GPU at 1 of 1 point, ") || !strings.Contains(out, "a kernel was paused ") {
			t.Errorf("beside one that is not listed:\n%s", out)
		}
		if out := bench(beside(96), "doctor"); !strings.Contains(out, "shared with") || !strings.Contains(out, process) {
			t.Errorf("doctor:\n%s", out)
		}
		if out := bench("NVML_PROCESSES=hidden", "doctor"); !strings.Contains(out, "no other process is listed") {
			t.Errorf("doctor, alone:\n%s", out)
		}
	})
}
