//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/history"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/linux"
)

// samplesOfRow is how many timed samples a row of runs has that the verbs read.
const samplesOfRow = 8

// verbs read results: their words, from a folder with what fill makes.
var verbs = []struct {
	name string
	args []string
}{
	{"compare, two runs", []string{"compare", "a", "b", "--csv"}},
	{"compare, two versions", []string{"compare", "two", "--by", "version", "--csv"}},
	{"compare, a version a row", []string{"compare", "each", "--by", "version", "--csv"}},
	{"report, a version a row", []string{"report", "each", "-o", "each.html"}},
	{"report, one run", []string{"report", "two", "-o", "one.html"}},
	{"report, two runs", []string{"report", "a", "b", "-o", "two.html"}},
	{"history add", []string{"history", "add", "a", "--revision", "r", "--file", "history.jsonl"}},
	{"history show", []string{"history", "show", "--file", "history.jsonl"}},
	{"history show, one point", []string{"history", "show", "--file", "point.jsonl"}},
	{"plot", []string{"plot", "a"}},
	{"export csv", []string{"export", "--to", "csv", "a", "--out", "table"}},
	{"export parquet", []string{"export", "--to", "parquet", "a", "--out", "table"}},
	{"merge", []string{"merge", "a=a", "b=b", "--out", "merged", "--no-plots"}},
	{"replay", []string{"replay", "space.csv", "--strategy", "random", "--repeats", "3", "--budget", "100"}},
}

// cost is what a process took.
type cost struct {
	seconds float64 // of processors, of user and system
	bytes   int64   // of memory, at most
	refused string  // what a verb said that did not end well; only of one that may
}

// fill makes what the verbs read: two runs of n rows that differ by noise, one of two versions
// with n rows together, one of n versions, a history of n runs of one point, and a recorded space
// of n points: for replay alone, that alone.
func fill(dir string, n int, only string) error {
	if only == "replay" {
		return space(dir, n)
	}
	for i, name := range []string{"a", "b"} {
		if err := folder(filepath.Join(dir, name), n, uint64(i), "stockham"); err != nil {
			return err
		}
	}
	if err := folder(filepath.Join(dir, "two"), n, 2, "stockham", "fftw"); err != nil {
		return err
	}
	var each []string
	for i := range n {
		each = append(each, fmt.Sprint("version ", i))
	}
	if err := folder(filepath.Join(dir, "each"), n, 3, each...); err != nil {
		return err
	}
	if err := point(dir, n); err != nil {
		return err
	}
	return space(dir, n)
}

// point makes a history of one point that n runs measured.
func point(dir string, n int) error {
	f, err := os.Create(filepath.Join(dir, "point.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	g := rand.New(rand.NewPCG(9, 9))
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		seconds := 1e-3 * (1 + 0.01*g.NormFloat64())
		e := history.Entry{Format: 1, Started: began.Add(time.Duration(i) * time.Second), Revision: fmt.Sprint("r", i), Tool: "scale", Config: "scale.json", ConfigHash: "0", Machine: "0", MachineName: "a CPU",
			Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu", Params: framework.Values{"N": framework.IntValue(64)}, Surroundings: map[string]string{"kernel": "6.1"},
			Status: record.OK, Metrics: map[string]history.Estimate{"time": {Value: seconds, Low: 0.999 * seconds, High: 1.001 * seconds}}}
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n", line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// space makes a recorded space of n points.
func space(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "space.csv"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	g := rand.New(rand.NewPCG(7, 7))
	fmt.Fprintln(w, "x,y,time_ms,status")
	for i := range n {
		fmt.Fprintf(w, "%d,%d,%g,valid\n", i/100, i%100, 1+g.Float64())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// result is that of the point with a number, of the n-th problem.
func result(number, n int, version string, s *measure.Series, started time.Time) record.Result {
	return record.Result{
		Point: plan.Point{ID: number, Algorithm: "fft", Version: version, Processor: framework.CPU, Device: "cpu",
			Params:     framework.Values{"N": framework.IntValue(int64(64 * (n + 1))), "precision": framework.TextValue("f32")},
			ParamOrder: []string{"N", "precision"}},
		Status: record.OK, Verification: framework.FastVerification,
		Checks: []framework.Check{{Metric: "relative L2 error", Error: 1e-7, Bound: 1e-6}},
		Work:   framework.Work{NominalFLOPs: 1e6, NominalBytes: 1e6, Items: int64(64 * (n + 1))},
		Hot:    s, Energy: &measure.Energy{Absent: "the config asks for no sensor"},
		Started: started, Elapsed: 0.5,
		Phases: map[string]float64{record.PreparePhase: 0.1, record.VerifyPhase: 0.1, "time": 0.3},
	}
}

// costs runs every verb in a folder that fill filled.
func costs(bench, dir string) ([]cost, error) {
	var list []cost
	for _, v := range verbs {
		c, err := costOf(bench, dir, v.args)
		if err == nil && c.refused != "" {
			err = errors.New(c.refused)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// mostMemory bounds the address space of a verb, so that one that takes too much fails, and
// not what else the machine runs.
var mostMemory uint64 = 6 << 30

func costOf(bench, dir string, args []string) (cost, error) {
	for _, made := range []string{"merged", "table"} {
		if err := os.RemoveAll(filepath.Join(dir, made)); err != nil {
			return cost{}, err
		}
	}
	cmd := exec.Command(bench, args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, io.Discard, &said
	_, err := linux.Run(context.Background(), cmd, linux.Limits{MemoryBytes: mostMemory})
	if cmd.ProcessState == nil {
		return cost{}, err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c := cost{seconds: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), bytes: usage.Maxrss << 10}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		c.refused = strings.TrimSpace(lines[len(lines)-1])
		if c.refused == "" {
			c.refused = err.Error()
		}
	}
	return c, nil
}
