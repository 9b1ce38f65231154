//go:build linux

// Scale creates the journals of many devices and measures the cost of bench merge on them. With -verbs it
// creates runs and measures, as a table, the cost of every verb that reads results.
//
// usage: lab/run scale [-program ./bench] [-rows 1000000] [-devices 10000] [-samples 20]
//
//	lab/run scale -verbs 10000,100000,1000000 [-only compare] [-out growth] [-most 6] [-program ./bench]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

func main() {
	rows := flag.Int("rows", 1000000, "rows of the merged run")
	devices := flag.Int("devices", 10000, "devices that measured them")
	samples := flag.Int("samples", 20, "timed samples of each point")
	keep := flag.String("keep", "", "folder for the journals and the merged run (default: a temporary one, which is removed)")
	program := flag.String("program", "./bench", "the program")
	sizes := flag.String("verbs", "", "numbers of rows, as 10000,100000, at which every verb is measured")
	only := flag.String("only", "", "with -verbs: only the verbs whose name begins so")
	out := flag.String("out", "", "with -verbs: the table's file, without .csv and .md")
	most := flag.Float64("most", 6, "with -verbs: GiB of address space that a verb may use")
	filled := flag.String("fill", "", "folder to fill with what the verbs read, of -rows rows, and no more")
	flag.Parse()
	if *filled != "" {
		if err := fill(*filled, *rows, *only); err != nil {
			fmt.Fprintln(os.Stderr, "scale:", err)
			os.Exit(1)
		}
		return
	}
	if *sizes != "" {
		mostMemory = uint64(*most * (1 << 30))
		if err := growth(*program, *keep, *sizes, *only, *out); err != nil {
			fmt.Fprintln(os.Stderr, "scale:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 0 || *rows < *devices || *devices < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*program, *keep, *rows, *devices, *samples); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(bench, dir string, rows, devices, samples int) error {
	bench, err := filepath.Abs(bench)
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bench-scale-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	each := rows / devices
	var bytes int64
	var names []string
	for d := range devices {
		name := fmt.Sprintf("node%05d", d)
		n, err := write(filepath.Join(dir, name), d, each, samples)
		if err != nil {
			return err
		}
		bytes += n
		names = append(names, name)
	}
	fmt.Printf("%d journals of %d points with %d samples: %.2f GB\n", devices, each, samples, float64(bytes)/1e9)
	cmd := exec.Command(bench, append([]string{"merge", "--no-plots", "--out", "merged"}, names...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Printf("merged in %.1f s (CPU: %.1f s), at most %.2f GiB of memory\n", time.Since(start).Seconds(),
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), float64(usage.Maxrss)/(1<<20))
	return nil
}

// write writes the journal of one device and returns its size.
func write(dir string, device, points, samples int) (int64, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	f, err := os.Create(filepath.Join(dir, record.JournalFile))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	b := bufio.NewWriterSize(f, 1<<20)
	g := rand.New(rand.NewPCG(1, uint64(device)))
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h := record.Header{Format: 3, Config: "scale.json", ConfigHash: "0", Seed: 1, Version: "scale", Selection: "all", Prefix: "scale",
		Axes: []plan.Axis{{Name: "N", Count: points}}, Total: points}
	line(b, "header", h)
	line(b, "header", h)
	line(b, "session", record.Info{Tool: record.Tool{Version: "scale"}, Config: record.ConfigFile{Path: h.Config, Hash: h.ConfigHash, Text: "{}"},
		Seed: 1, Started: began, Devices: []record.Device{{ID: "cpu"}}})
	speed := 1 + 0.02*g.NormFloat64()
	for i := range points {
		seconds := 1e-6 * float64(i+1) * speed
		s := &measure.Series{Batch: 1, Converged: true, Stop: "noise below 0.5 %"}
		for range samples {
			s.Samples = append(s.Samples, seconds*(1+0.003*g.NormFloat64()))
		}
		line(b, "result", result(i, i, "stockham", s, began.Add(time.Duration(i)*time.Second)))
	}
	if err := b.Flush(); err != nil {
		return 0, err
	}
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return fi.Size(), f.Close()
}

// line writes a line of a journal, as docs/journal.md describes it.
func line(b *bufio.Writer, kind string, content any) {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err) // of this program's own values
	}
	body := append([]byte(`"`+kind+`":`), text...)
	fmt.Fprintf(b, "{\"crc32c\":\"%08x\",%s}\n", crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)), body)
}
