//go:build linux

// Overhead measures what the tool itself takes: how long each verb takes from start
// to end where it measures nothing, what a run and a point cost beside what they
// measure, the memory of both processes, and what the program's file consists of.
// It prints Markdown tables:
//
//	overhead BENCH FAULTY
//
// BENCH and FAULTY are the programs cmd/bench and test/faulty/program.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gocarina/gocsv"
	"github.com/prometheus/procfs"
)

const repeats = 15 // of verbs that measure nothing

// measuring are verbs that measure, of which almost nothing is asked: one problem,
// computed for 1 ms by the clock.
var measuring = []string{
	"run ONE --out DIR/run", "verify ONE", "ab ONE --versions good,good --repeats 4", "energy --out DIR/energy true",
	"tune TUNED --budget 2 --confirm 0 --out DIR/tune",
}

// verbs measure nothing, so that all of their time is the tool's.
var verbs = []string{
	"version", "list", "list fft", "doctor", "modes", "sensors", "schema", "completion bash",
	"validate configs/fft.json", "plan configs/fft.json",
	"compare results/h200-fft-peers --by version --metric time", "man DIR", "new NEW", "plot DIR/plotted",
	"replay results/h200-iterml/gemm.csv.gz --budget 50 --out DIR/replay",
	"predict results/literature/rtxa5000-partition --sizes 300000,4500000",
	"transfer results/h200-tuning/fft-best --reference results/h200-tuning/fft-exhaustive",
	"export --to t4 results/h200-iterml/gemm.csv.gz --out DIR/export", "import DIR/export/gemm.t4.json --out DIR/import",
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: overhead BENCH FAULTY")
	}
	bench, faulty := absolute(os.Args[1]), absolute(os.Args[2])
	dir, err := os.MkdirTemp("", "overhead")
	check(err)
	defer os.RemoveAll(dir)
	fmt.Printf("| start to end, median of %d or 5 | wall (ms) | CPU (ms) | memory (MiB) |\n|---|---:|---:|---:|\n", repeats)
	one := filepath.Join(dir, "one.json")
	check(os.WriteFile(one, []byte(`{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "one", "sensors": [],
		"static_args": {"ms": 1}, "measure": {"min_samples": 5, "min_time_s": 0.005, "timeout_s": 0.1, "power_window_s": 0.1}}`), 0o666))
	tuned := filepath.Join(dir, "tuned.json")
	check(os.WriteFile(tuned, []byte(`{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "tuned", "sensors": [],
		"static_args": {"ms": 1}, "tunables": {"A": [2, 3], "B": [2, 3]}, "measure": {"min_samples": 5, "min_time_s": 0.005, "timeout_s": 0.1}}`), 0o666))
	check(os.CopyFS(filepath.Join(dir, "plotted"), os.DirFS("results/h200-fft-peers")))
	for i, verb := range slices.Concat(verbs, measuring) {
		program, repeats := bench, repeats
		if i >= len(verbs) {
			program, repeats = faulty, 5 // it has the algorithm; these take seconds
		}
		var wall, cpu, memory []float64
		for i := range repeats {
			c := exec.Command(program, strings.Fields(strings.NewReplacer("DIR", dir, "ONE", one, "TUNED", tuned, "NEW", fmt.Sprint("new", i)).Replace(verb))...)
			if strings.HasSuffix(verb, "NEW") { // which makes a folder where it is
				c.Dir = dir
			}
			start := time.Now()
			out, err := c.CombinedOutput()
			if err != nil {
				log.Fatalf("bench %s: %v\n%s", verb, err, out)
			}
			wall = append(wall, time.Since(start).Seconds())
			cpu = append(cpu, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
			memory = append(memory, float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/(1<<10))
		}
		fmt.Printf("| `bench %s` | %.0f | %.0f | %.0f |\n", verb, 1e3*median(wall), 1e3*median(cpu), median(memory))
	}
	fmt.Println()
	runs(faulty, dir)
	fmt.Println()
	size(bench)
	points(bench, dir)
}

// cost is what a run takes besides what it measures.
type cost struct {
	runSeconds, pointSeconds float64 // of the run, of a point (median)
	parent, worker           float64 // in memory when last seen, MiB
}

// runs prints the cost of a point and of a run, from runs of points that compute
// for 1 ms by the clock and hold no data.
func runs(faulty, dir string) {
	config := filepath.Join(dir, "points.json")
	check(os.WriteFile(config, []byte(`{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "points", "sensors": [],
		"sweep_arg": {"ms": 1, "host_bytes": {"from": 0, "to": 19, "step": 1}}, "measure": {"min_samples": 50, "min_time_s": 0.05, "timeout_s": 1}}`), 0o666))
	var list []cost
	for range 5 {
		list = append(list, measure(faulty, dir, config))
	}
	of := func(f func(cost) float64) float64 {
		var values []float64
		for _, c := range list {
			values = append(values, f(c))
		}
		return median(values)
	}
	fmt.Printf("| `bench run` of 20 points of 1 ms without data, median of %d | |\n|---|---:|\n", len(list))
	fmt.Printf("| a point without its samples (ms), 100 of them warm-up | %.1f |\n", 1e3*of(func(c cost) float64 { return c.pointSeconds }))
	fmt.Printf("| the run without its points and ceilings, with CSVs and plots (ms) | %.0f |\n", 1e3*of(func(c cost) float64 { return c.runSeconds }))
	fmt.Printf("| memory of the parent (MiB) | %.0f |\n", of(func(c cost) float64 { return c.parent }))
	fmt.Printf("| memory of the worker (MiB) | %.0f |\n", of(func(c cost) float64 { return c.worker }))
}

// measure runs the config once.
func measure(faulty, dir, config string) (c cost) {
	check(os.RemoveAll(filepath.Join(dir, "results")))
	run := exec.Command(faulty, "run", config)
	run.Dir = dir
	start := time.Now()
	check(run.Start())
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for running := true; running; {
		select {
		case err := <-ended:
			check(err)
			running = false
		case <-time.After(20 * time.Millisecond):
			if parent, worker := resident(run.Process.Pid); worker != 0 {
				c.parent, c.worker = float64(parent)/(1<<20), float64(worker)/(1<<20)
			}
		}
	}
	c.runSeconds = time.Since(start).Seconds()
	results := filepath.Join(dir, "results", "points")
	var info struct {
		Devices []struct {
			Ceilings struct {
				Seconds float64 `json:"seconds"`
			} `json:"ceilings"`
		} `json:"devices"`
	}
	text, err := os.ReadFile(filepath.Join(results, "run.json"))
	check(err)
	check(json.Unmarshal(text, &info))
	for _, d := range info.Devices {
		c.runSeconds -= d.Ceilings.Seconds
	}
	text, err = os.ReadFile(filepath.Join(results, "points_time.csv"))
	check(err)
	rows, err := gocsv.CSVToMaps(bytes.NewReader(text))
	check(err)
	number := func(row map[string]string, column string) float64 {
		v, err := strconv.ParseFloat(row[column], 64)
		check(err)
		return v
	}
	var points []float64
	for _, row := range rows {
		elapsed := number(row, "elapsed_s")
		c.runSeconds -= elapsed
		points = append(points, elapsed-number(row, "samples")*number(row, "time_mean_s"))
	}
	c.pointSeconds = median(points)
	return c
}

// resident are the bytes in memory of a process and of the one that it started;
// 0 for what is not there.
func resident(pid int) (parent, worker int) {
	list, err := procfs.AllProcs()
	check(err)
	for _, p := range list {
		stat, err := p.Stat()
		switch {
		case err != nil: // has ended
		case stat.PID == pid:
			parent = stat.ResidentMemory()
		case stat.PPID == pid:
			worker = stat.ResidentMemory()
		}
	}
	return parent, worker
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func absolute(path string) string {
	path, err := filepath.Abs(path)
	check(err)
	return path
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
