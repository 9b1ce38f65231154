package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"example.org/bench/framework/engine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/textfile"
	"example.org/bench/internal/trust"
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

// Run is what the profiler counted of one run.
type Run struct {
	Kernels                      int
	FLOPs, LoadBytes, StoreBytes int64
	Empty                        int // kernels of which nothing was counted
}

// Toolkit is where the CUDA toolkit has Nsight Compute.
const Toolkit = "/usr/local/cuda/bin/ncu"

// Find is the path of Nsight Compute's command line: of PATH, or the
// toolkit's.
func Find(toolkit string) (string, error) {
	p, err := trust.Self().Program("ncu", toolkit)
	if err == nil || errors.Is(err, trust.ErrUntrusted) {
		return p, err
	}
	return "", fmt.Errorf("--counts needs Nsight Compute: no ncu in PATH, no %s; install it with the CUDA toolkit or as package nsight-compute", toolkit)
}

// run has the profiler run a worker and write a table of metrics to log; caches is what
// it does with them before each kernel: all (it flushes them) or none.
func run(ctx context.Context, profiler, log string, worker, metrics []string, caches string) error {
	cmd := exec.CommandContext(ctx, profiler, append([]string{"--csv", "--page", "raw", "--print-units", "base",
		"--metrics", strings.Join(metrics, ","), "--clock-control", "none", "--cache-control", caches,
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

// runsOf reads the profiler's CSV, a kernel a row, with these columns, and adds the
// kernels of each run.
func runsOf[T any](text []byte, metrics []string, add func(run *T, row []string, column map[string]int) error) ([]T, error) {
	rows, err := tableOf(text)
	if err != nil {
		return nil, err
	}
	var runs []T
	if len(rows) == 0 {
		return nil, nil
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, name := range append(slices.Clone(metrics), "Kernel Name") {
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
			runs = append(runs, *new(T))
		case engine.EndKernel:
			if !inside {
				return nil, errors.New("the profiler saw a run end that did not begin")
			}
			inside = false
		default:
			if inside {
				if err := add(&runs[len(runs)-1], row, column); err != nil {
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

// mostCounted is up to where numbers tell every count apart.
const mostCounted = 1 << 53

func (p *Run) add(row []string, column map[string]int) error {
	count := func(name string) (int64, error) {
		x, err := cell(row, column, name)
		if err == nil && !(x >= 0 && x <= mostCounted) {
			err = fmt.Errorf("%s is %v, want a count from 0 to 2^53", name, x)
		}
		return int64(x), err
	}
	before := *p
	p.Kernels++
	for op, each := range flopsOf {
		n, err := count(fmt.Sprintf(instructions, op))
		if err != nil {
			return err
		}
		p.FLOPs += each * n
	}
	for op, sum := range map[string]*int64{"ld": &p.LoadBytes, "ldgsts": &p.LoadBytes, "st": &p.StoreBytes} {
		n, err := count(fmt.Sprintf(globalBytes, op))
		if err != nil {
			return err
		}
		*sum += n
	}
	if p.FLOPs == before.FLOPs && p.LoadBytes == before.LoadBytes && p.StoreBytes == before.StoreBytes {
		p.Empty++
	}
	return nil
}

// cell is the number in a row's column.
func cell(row []string, column map[string]int, name string) (float64, error) {
	text := strings.ReplaceAll(row[column[name]], ",", "")
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a number", name, text)
	}
	return x, nil
}
