// Kernelmutants tells how well the simulator names mistakes: it makes mechanical
// mutants of every kernel of the project, runs each in the simulator with all checks
// at the problems of the project's own verification, and writes what became of it.
// Each mutant has a process, so that none ends the run. What was found is appended to
// a table at once, and an interrupted run goes on there.
//
//	kernelmutants [-each N] [-seed N] [-points N] [-for TIME] [-jobs N] [-only TEXT] [-out FOLDER]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	var c campaign
	flag.IntVar(&c.each, "each", 1, "mutants of each file and kind, drawn by the seed; 0: all")
	flag.Uint64Var(&c.seed, "seed", 1, "seed of the draw")
	flag.IntVar(&c.points, "points", 8, "problems at most for each mutant; 0: all that compile it")
	flag.DurationVar(&c.limit, "for", 0, "no new mutants after this time; 0: until all are done")
	flag.IntVar(&c.jobs, "jobs", 2, "processes at once")
	flag.StringVar(&c.only, "only", "", "only algorithms and configs whose name contains this")
	flag.StringVar(&c.out, "out", "results/kernel-mutants", "folder of the tables")
	worker := flag.Bool("worker", false, "judge the mutant on standard input")
	flag.Parse()
	if *worker {
		check(judge(os.Stdin, os.Stdout))
		return
	}
	// Kernels with mistakes are no use to anyone else.
	cache, err := filepath.Abs(".cache/kernel-mutants")
	check(err)
	check(os.MkdirAll(cache, 0o777))
	check(os.Setenv("XDG_CACHE_HOME", cache))
	check(c.run())
}

// task is what a worker is told.
type task struct {
	Mutant mutant
	Points []point
	Hashes []uint64
}

// judge answers one task.
func judge(in *os.File, out *os.File) error {
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	list, err := subjects()
	if err != nil {
		return err
	}
	of := map[string]subject{}
	for _, s := range list {
		of[s.name] = s
	}
	text, err := os.ReadFile(t.Mutant.File)
	if err != nil {
		return err
	}
	d, err := open()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(examine(d, t.Mutant, string(text), of, t.Points, t.Hashes))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "kernelmutants:", err)
		os.Exit(1)
	}
}
