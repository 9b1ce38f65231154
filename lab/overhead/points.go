//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocarina/gocsv"
	"github.com/prometheus/procfs"
)

// points prints, for real experiments, what a point takes besides what is measured,
// and how much memory the worker has besides the inputs and the answer of the
// largest problem.
func points(bench, dir string) {
	experiments := []string{"run configs/fft.json --processor CPU", "run configs/scan.json --processor CPU",
		"run configs/tridiagonal.json --processor CPU", "run configs/qr.json --processor CPU"}
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		experiments = []string{"run configs/fft-peers.json", "run configs/scan.json --processor GPU",
			"run configs/tridiagonal.json --processor GPU", "run configs/qr.json --processor GPU"}
	}
	fmt.Println("| experiment | points | from start to end (s) | measured (s) | besides, per point (s): median | largest | of that verifying: median | worker's memory besides the largest problem's (MiB) |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|")
	for i, e := range experiments {
		out := filepath.Join(dir, fmt.Sprint("points", i))
		run := exec.Command(bench, append(strings.Fields(e), "--wisdom", "none", "--quiet", "--out", out)...)
		run.Stderr = os.Stderr
		start := time.Now()
		check(run.Start())
		peak := watch(run)
		whole := time.Since(start).Seconds()
		time := columns(out, "_time.csv")
		bytes := columns(out, "_loadstoresize.csv")["nominal_bytes"]
		var measured float64
		for i, elapsed := range time["elapsed_s"] {
			measured += elapsed - time["beside_s"][i]
		}
		beside, count := time["beside_s"], len(time["beside_s"])
		fmt.Printf("| `bench %s` | %d | %.0f | %.0f | %.3f | %.2f | %.3f | %.0f |\n", e, count, whole, measured,
			median(beside), slices.Max(beside), median(time["verify_s"]), float64(peak)/(1<<20)-slices.Max(bytes)/(1<<20))
	}
	fmt.Println()
}

// watch waits for a run and returns the most memory that a worker of it had.
func watch(run *exec.Cmd) (peak int) {
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for {
		select {
		case err := <-ended:
			check(err)
			return peak
		case <-time.After(20 * time.Millisecond):
			list, err := procfs.AllProcs()
			check(err)
			for _, p := range list {
				if stat, err := p.Stat(); err == nil && stat.PPID == run.Process.Pid {
					if status, err := p.NewStatus(); err == nil {
						peak = max(peak, int(status.VmHWM))
					}
				}
			}
		}
	}
}

// columns are the numbers of a run's file by column, of the points that are ok.
func columns(out, kind string) map[string][]float64 {
	found, err := filepath.Glob(filepath.Join(out, "*"+kind))
	check(err)
	f, err := os.Open(found[0])
	check(err)
	defer f.Close()
	rows, err := gocsv.CSVToMaps(f)
	check(err)
	list := map[string][]float64{}
	for _, row := range rows {
		if row["status"] != "ok" {
			continue
		}
		for column, cell := range row {
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				list[column] = append(list[column], v)
			}
		}
	}
	return list
}
