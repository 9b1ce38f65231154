// Command gates measures one config many times with one program, and compares the
// runs with each other: how often a run's interval holds the median of the others,
// how often a gate of identical code is worse or inconclusive, and how often it
// finds runs whose samples were made 10 % longer.
//
//	lab/run gates -runs 20 -repeats 5 -out DIR configs/gates.json
//	lab/run gates -runs 20 -repeats 5 -out DIR -busy configs/gates.json
//
// Runs that DIR has are not made again. With -busy, busy loops run beside them: -loops
// of them, or one for every second CPU.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"example.org/bench/framework/compare"
	"example.org/bench/internal/bounded"
)

func main() {
	log.SetFlags(0)
	bench := flag.String("bench", "./bench", "the program")
	runs := flag.Int("runs", 20, "runs, at least 3")
	repeats := flag.Int("repeats", 5, "instances of each point in each run")
	gate := flag.Float64("gate", 0.05, "tolerated worsening")
	side := flag.Int("side", 4, "runs of a side, where sides of several are compared too; 0: they are not")
	out := flag.String("out", "", "folder for the runs")
	busy := flag.Bool("busy", false, "busy loops beside the runs")
	loops := flag.Int("loops", max(1, runtime.NumCPU()/2), "busy loops, with -busy")
	spin := flag.Bool("spin", false, "be a loop")
	flag.Parse()
	if *spin {
		for n := 0; ; n++ {
		}
	}
	if flag.NArg() != 1 || *out == "" || *runs < 3 {
		log.Fatal("want -out DIR, -runs of at least 3, and a config")
	}
	kind, beside, about := "quiet", 0, "quiet"
	if *busy {
		kind, beside, about = "busy", *loops, fmt.Sprint("beside busy loops, ", *loops)
	}
	dirs, err := measured(*bench, flag.Arg(0), filepath.Join(*out, kind), *runs, *repeats, beside)
	if err != nil {
		log.Fatal(err)
	}
	all, err := compare.ReadRuns(dirs)
	if err != nil {
		log.Fatal(err)
	}
	r, err := study(all, *side, *gate)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d runs of %d instances, gate %g %%\n\n%s", about, *runs, *repeats, 100**gate, r)
}

// measured makes the runs that dir lacks, with so many busy loops beside, and returns
// their folders.
func measured(bench, config, dir string, runs, repeats, loops int) (dirs []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for range loops {
		loop := exec.CommandContext(ctx, self, "-spin")
		if err := loop.Start(); err != nil {
			return nil, err
		}
		defer func() { cancel(); loop.Wait() }()
	}
	for i := range runs {
		run := bounded.Place(filepath.Join(dir, strconv.Itoa(i)))
		dirs = append(dirs, run)
		if _, err := bounded.Stat(filepath.Join(run, "run.json")); err == nil {
			continue
		}
		cmd := exec.CommandContext(ctx, bench, "run", config, "--repeats", strconv.Itoa(repeats), "--out", run, "--quiet")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w", run, err)
		}
	}
	return dirs, nil
}
