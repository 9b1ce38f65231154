// Package arm64 runs the program as a Jetson would: built for arm64 without
// cgo, under QEMU's user emulation with an arm64 C library.
package arm64

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocarina/gocsv"

	// What the program consists of: after a change of it, go test does not show an
	// earlier result.
	_ "example.org/bench/algorithms"
	_ "example.org/bench/command"
	_ "example.org/bench/sensors"
	"example.org/bench/test/program"
)

const (
	qemuVariable = "BENCH_QEMU_ARM64"
	rootVariable = "BENCH_ARM64_ROOT"
)

var binary string // cmd/bench for arm64

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "bench-arm64-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "bench")
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// build builds the program once.
func build(t *testing.T) {
	t.Helper()
	if os.Getenv(qemuVariable) == "" || os.Getenv(rootVariable) == "" {
		t.Skipf("needs %s, the path of qemu-aarch64-static, and %s, the folder of an arm64 C library: "+
			"run tools/fetch-test-env and source .cache/env.sh", qemuVariable, rootVariable)
	}
	if _, err := os.Stat(binary); err == nil {
		return
	}
	if err := program.Build("cmd/bench", "arm64", binary); err != nil {
		t.Fatal(err)
	}
}

// bench runs the emulated program and returns what it wrote and its exit
// status. Its worker processes are emulated too.
func bench(t *testing.T, args ...string) (string, int) {
	t.Helper()
	build(t)
	qemu := []string{os.Getenv(qemuVariable), "-L", os.Getenv(rootVariable)}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, qemu[0], slices.Concat(qemu[1:], []string{binary}, args)...)
	// The libraries of this machine's own processor are none of the guest's.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "LD_LIBRARY_PATH=") || strings.HasPrefix(e, "BENCH_NVRTC=")
	})
	cmd.Env = append(cmd.Env, "BENCH_WORKER_PREFIX="+strings.Join(qemu, " "))
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// emulated runs a command under QEMU.
func emulated(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	qemu := []string{"-L", os.Getenv(rootVariable)}
	out, err := exec.CommandContext(ctx, os.Getenv(qemuVariable), slices.Concat(qemu, arguments)...).CombinedOutput()
	return string(out), err
}

// The algorithms' NEON code is right around its edges: their own tests, run as
// arm64 programs.
func TestNEON(t *testing.T) {
	build(t)
	folder := t.TempDir()
	for name, tests := range map[string][]string{
		"bicubic":     {"TestCombiners"},
		"fft":         {"TestStockhamAllLengths", "TestLaneOrderIsAPermutation"},
		"pattern":     {"TestVectorCode"},
		"qr":          {"TestVectorsAgree", "TestApplyAllIsApply", "TestParallelEdges"},
		"scan":        {"TestVectorKernels"},
		"tridiagonal": {"TestParallelEdges"},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(folder, name+".test")
			cmd := exec.Command("go", "test", "-c", "-vet=off", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "./algorithms/"+name)
			cmd.Dir = "../.." // in the program's module, for which bench is compiled already
			cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			out, err := emulated(t, program, "-test.short", "-test.v", "-test.run", "^("+strings.Join(tests, "|")+")$")
			if err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			for _, test := range tests {
				if !strings.Contains(out, "--- PASS: "+test+" ") {
					t.Errorf("%s did not pass:\n%s", test, out)
				}
			}
		})
	}
}

func TestVersion(t *testing.T) {
	out, status := bench(t, "version")
	if status != 0 || !strings.Contains(out, "linux/arm64") {
		t.Errorf("exit %d:\n%s", status, out)
	}
}

// The driver and NVRTC are looked for through the arm64 loader: the loader's
// own words show that dlopen ran.
func TestDoctor(t *testing.T) {
	out, status := bench(t, "doctor")
	if status != 0 {
		t.Fatalf("exit %d:\n%s", status, out)
	}
	for _, what := range []string{"missing  GPU", "libcuda.so.1", "missing  NVRTC", "BENCH_NVRTC"} {
		if !strings.Contains(out, what) {
			t.Errorf("no %q in:\n%s", what, out)
		}
	}
}

// TestRun of all versions of the CPU; how precisely an emulation's times are known is of no
// interest.
func TestRun(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	config := filepath.Join(t.TempDir(), "small.json")
	if err := os.WriteFile(config, []byte(`{"algorithm": "fft", "processor": "CPU", "static_args": {"N": 256, "batch_elements": 4096},
		"measure": {"ceilings": false, "min_samples": 5, "min_time_s": 0.02, "noise": 0.9, "timeout_s": 5}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := bench(t, "run", config, "--out", folder)
	if status != 0 {
		t.Fatalf("exit %d:\n%s", status, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_time.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("time CSVs %v, want one: %v\n%s", files, err, out)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := gocsv.CSVToMaps(f)
	if err != nil {
		t.Fatalf("%s: %v", files[0], err)
	}
	good := 0
	for _, row := range rows {
		switch row["status"] {
		case "ok":
			good++
		case "skipped": // FFTW is not there for arm64
		default:
			t.Errorf("%v", row)
		}
	}
	if good < 2 {
		t.Errorf("%d points are good:\n%s", good, out)
	}
}
