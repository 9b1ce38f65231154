// Package ncu runs the points of a config under Nsight Compute, and returns what it says of each: the referee of bench's own
// counters and classes, with no code in common.
package ncu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"example.org/bench/framework/engine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/textfile"
	"example.org/bench/internal/trust"
)

// Toolkit is where the CUDA toolkit has Nsight Compute.
const Toolkit = "/usr/local/cuda/bin/ncu"

// Find is the path of Nsight Compute's command line: of PATH, or the
// toolkit's.
func Find(toolkit string) (string, error) {
	p, err := trust.Self().Program("ncu", toolkit)
	if err == nil || errors.Is(err, trust.ErrUntrusted) {
		return p, err
	}
	return "", fmt.Errorf("no Nsight Compute: no ncu in PATH, no %s; install it with the CUDA toolkit or as package nsight-compute", toolkit)
}

// run has the profiler run a worker and write its table to log. It flushes caches before each kernel.
func run(ctx context.Context, profiler, log string, worker []string) error {
	cmd := exec.CommandContext(ctx, profiler, append([]string{"--csv", "--page", "raw", "--print-units", "base",
		"--metrics", strings.Join(speedMetrics(), ","), "--clock-control", "none", "--cache-control", "all",
		"--log-file", log}, worker...)...)
	runtime.LockOSThread() // the profiler ends with the thread that starts it
	defer runtime.UnlockOSThread()
	linux.Bind(cmd, linux.OwnGroup|linux.KilledWithCaller)
	cmd.Cancel = func() error { return linux.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := bounded.CombinedOutput(cmd)
	if err == nil {
		return nil
	}
	// The profiler's own errors go to the log file.
	said, readErr := bounded.ReadFile(log, bounded.MostDocument)
	for _, l := range strings.Split(string(said), "\n") {
		if strings.HasPrefix(l, "==ERROR==") {
			return fmt.Errorf("%s: %s", profiler, strings.TrimSpace(strings.TrimPrefix(l, "==ERROR==")))
		}
	}
	if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
		return readErr
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("%s: %w: %s", profiler, err, lines[len(lines)-1])
}

// runsOf reads the profiler's CSV, a kernel a row, and adds the kernels of each run.
func runsOf(text []byte) ([]Speed, error) {
	rows, err := tableOf(text)
	if err != nil {
		return nil, err
	}
	var runs []Speed
	if len(rows) == 0 {
		return nil, nil
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, name := range append(speedMetrics(), "Kernel Name") {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("the profiler's table has no column %q", name)
		}
	}
	inside := false
	for _, row := range rows[1:] {
		switch name, _, _ := strings.Cut(row[column["Kernel Name"]], "("); name {
		case "": // the row of units
		case engine.BeginKernel:
			if inside {
				return nil, errors.New("the profiler saw a run begin within another")
			}
			inside = true
			runs = append(runs, Speed{})
		case engine.EndKernel:
			if !inside {
				return nil, errors.New("the profiler saw a run end that did not begin")
			}
			inside = false
		default:
			if inside {
				if err := runs[len(runs)-1].add(row, column); err != nil {
					return nil, fmt.Errorf("kernel %s: %w", name, err)
				}
			}
		}
	}
	if inside {
		runs = runs[:len(runs)-1] // the process ended within it
	}
	return runs, nil
}

// tableOf finds the table between the profiler's own lines.
func tableOf(text []byte) ([][]string, error) {
	var table bytes.Buffer
	for _, l := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(l, `"`) {
			table.WriteString(l + "\n")
		}
	}
	t, err := textfile.NewTable(&table, "the profiler's table")
	if err != nil {
		return nil, err
	}
	rows, _, err := t.ReadAll()
	return rows, err
}

// cell is the number in a row's column.
func cell(row []string, column map[string]int, name string) (float64, error) {
	text := strings.ReplaceAll(row[column[name]], ",", "")
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= math.MaxFloat64) {
		return 0, fmt.Errorf("%s is %q, want a number from 0", name, text)
	}
	return x, nil
}
