package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// The metrics of Nsight Compute that are summed over a run's kernels: thread
// instructions whose predicate was on, and bytes that global loads (also those
// that copy to shared memory) and stores asked for (Nsight Compute, Kernel
// Profiling Guide, metrics reference).
const (
	instructions = "smsp__sass_thread_inst_executed_op_%s_pred_on.sum"
	globalBytes  = "smsp__sass_data_bytes_mem_global_op_%s.sum"
)

// flopsOf says how many operations an instruction counts for.
var flopsOf = map[string]int64{"fadd": 1, "fmul": 1, "ffma": 2, "dadd": 1, "dmul": 1, "dfma": 2}

func metricNames() []string {
	var list []string
	for _, op := range []string{"fadd", "fmul", "ffma", "dadd", "dmul", "dfma"} {
		list = append(list, fmt.Sprintf(instructions, op))
	}
	for _, op := range []string{"ld", "ldgsts", "st"} {
		list = append(list, fmt.Sprintf(globalBytes, op))
	}
	return list
}

// Kernels that the profiled process launches around each run, so that the
// runs' kernels can be told apart.
const (
	beginKernel = "bench_counts_begin"
	endKernel   = "bench_counts_end"
)

// profile is what the profiler counted of one run.
type profile struct {
	kernels                      int
	flops, loadBytes, storeBytes int64
}

// toolkitProfiler is where the CUDA toolkit has Nsight Compute.
const toolkitProfiler = "/usr/local/cuda/bin/ncu"

// findProfiler is the path of Nsight Compute's command line: of PATH, or the
// toolkit's.
func findProfiler(toolkit string) (string, error) {
	if p, err := exec.LookPath("ncu"); err == nil {
		return p, nil
	}
	if _, err := os.Stat(toolkit); err == nil {
		return toolkit, nil
	}
	return "", fmt.Errorf("--counts needs Nsight Compute: no ncu in PATH, no %s; install it with the CUDA toolkit or as package nsight-compute", toolkit)
}

// runProfiler has the profiler run this program's counts-worker on dir.
func runProfiler(ctx context.Context, profiler, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, profiler, "--csv", "--page", "raw", "--print-units", "base",
		"--metrics", strings.Join(metricNames(), ","), "--clock-control", "none", "--cache-control", "none",
		"--log-file", filepath.Join(dir, profileFile), self, "counts-worker", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	// The profiler's own errors go to the log file.
	log, readErr := os.ReadFile(filepath.Join(dir, profileFile))
	for _, l := range strings.Split(string(log), "\n") {
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

// parseProfile reads the profiler's CSV, a kernel a row, and sums the kernels
// of each run.
func parseProfile(text []byte) ([]profile, error) {
	rows, err := profileRows(text)
	if err != nil {
		return nil, err
	}
	var runs []profile
	if len(rows) == 0 {
		return nil, nil
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, name := range append(metricNames(), "Kernel Name") {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("the profiler's table has no column %q", name)
		}
	}
	inside := false
	for _, row := range rows[1:] {
		switch name, _, _ := strings.Cut(row[column["Kernel Name"]], "("); name {
		case "": // the row of units
		case beginKernel:
			if inside {
				return nil, errors.New("the profiler saw a run begin within another")
			}
			inside = true
			runs = append(runs, profile{})
		case endKernel:
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

// profileRows finds the table between the profiler's own lines.
func profileRows(text []byte) ([][]string, error) {
	var table bytes.Buffer
	for _, l := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(l, `"`) {
			table.WriteString(l + "\n")
		}
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("the profiler's table: %w", err)
	}
	return rows, nil
}

func (p *profile) add(row []string, column map[string]int) error {
	count := func(name string) (int64, error) {
		cell := strings.ReplaceAll(row[column[name]], ",", "")
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is %q, want a number", name, cell)
		}
		return int64(x), nil
	}
	p.kernels++
	for op, each := range flopsOf {
		n, err := count(fmt.Sprintf(instructions, op))
		if err != nil {
			return err
		}
		p.flops += each * n
	}
	for op, sum := range map[string]*int64{"ld": &p.loadBytes, "ldgsts": &p.loadBytes, "st": &p.storeBytes} {
		n, err := count(fmt.Sprintf(globalBytes, op))
		if err != nil {
			return err
		}
		*sum += n
	}
	return nil
}
