//go:build linux

package main

import (
	"bytes"
	"cmp"
	"errors"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// outcome is how the tests answer a mutant.
type outcome int

const (
	survives outcome = iota
	killed
	timedOut
	notViable // it does not compile
)

const (
	// coefficient times as much processor time as the tests take unchanged, plus
	// allowance, ends a mutant in a loop.
	coefficient = 4
	allowance   = time.Second
	// stall ends a mutant that waits.
	stall = 20 * time.Second
	// Tests that take less processor time than quick, and less time in all than brief,
	// run before the others.
	quick, brief = 100 * time.Millisecond, time.Second
	// A test that takes more seconds of processor time than patience is not run: it
	// would be for every mutant that the others let live.
	patience = 3
)

// test is a test of the package and what it costs unchanged.
type test struct {
	name      string
	wall, cpu time.Duration
	slow      bool // it is not run
}

// bench holds the mutants of a package on trial.
type bench struct {
	source  *source
	program string // of the tests, with all mutants to be switched on
	scratch string
	tests   []test        // the fastest first
	reach   map[int][]int // the tests that reach a mutant
	apart   map[place]bool
}

// prepare compiles the covered mutants of the package at dir into one test program
// and runs each test once, to see what it reaches.
func prepare(dir, scratch string, mutants []mutant) *bench {
	b := &bench{source: load(dir), program: filepath.Join(scratch, "switched.test"), scratch: scratch, reach: map[int][]int{}, apart: map[place]bool{}}
	for {
		b.source.write(mutants, b.apart)
		complaints := b.compile(b.program)
		if complaints == nil {
			break
		}
		before := len(b.apart)
		for _, m := range mutants {
			if complaints[place{file: m.file, line: m.line}] {
				b.apart[m.place] = true
			}
		}
		if len(b.apart) == before {
			log.Fatalf("%s: does not compile with switches: %v", dir, complaints)
		}
	}
	c := exec.Command(b.program, "-test.list", ".")
	c.Dir = dir
	list, err := c.Output()
	check(err)
	for _, name := range strings.Fields(string(list)) {
		if !strings.HasPrefix(name, "Benchmark") {
			b.tests = append(b.tests, test{name: name})
		}
	}
	reached := make([]string, len(b.tests))
	for i := range b.tests {
		reached[i] = b.rehearse(&b.tests[i])
	}
	order := make([]int, len(b.tests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.tests[x].wall, b.tests[y].wall) })
	var sorted []test
	for _, i := range order {
		for _, id := range strings.Fields(reached[i]) {
			m, err := strconv.Atoi(id)
			check(err)
			b.reach[m] = append(b.reach[m], len(sorted))
		}
		sorted = append(sorted, b.tests[i])
	}
	b.tests = sorted
	return b
}

var complaint = regexp.MustCompile(`(?m)^(?:\S*/)?([^/\s:]+\.go):(\d+)(?::\d+)?: `)

// compile makes the test program; the lines that the compiler complains of are nil
// when there is one.
func (b *bench) compile(program string) map[place]bool {
	c := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-o", program, ".")
	c.Dir = b.source.dir
	out, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := map[place]bool{}
	for _, m := range complaint.FindAllSubmatch(out, -1) {
		line, err := strconv.Atoi(string(m[2]))
		check(err)
		lines[place{file: string(m[1]), line: line}] = true
	}
	if len(lines) == 0 {
		log.Fatalf("%v: %v\n%s", c, err, out)
	}
	return lines
}

// limited is the program under a limit of processor time in s and of memory in KiB,
// which a shell sets.
func limited(program string, seconds int, args ...string) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", `ulimit -t "$0" -v 16777216; exec "$@"`, strconv.Itoa(seconds), program}, args...)...)
}

// ended reports whether the limit ended a program.
func ended(c *exec.Cmd) bool {
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// rehearse runs a test alone and returns the mutants that it reaches.
func (b *bench) rehearse(t *test) string {
	file := filepath.Join(b.scratch, "reached")
	check(os.RemoveAll(file))
	c := limited(b.program, patience, "-test.run", pattern(*t))
	c.Dir = b.source.dir
	c.Env = append(os.Environ(), "MUTANT_REACHED="+file)
	begin := time.Now()
	out, err := c.CombinedOutput()
	if ended(c) {
		t.slow = true
		return ""
	}
	if err != nil {
		log.Fatalf("%s: %s fails unchanged and alone: %v\n%s", b.source.dir, t.name, err, out)
	}
	t.wall, t.cpu = time.Since(begin), c.ProcessState.UserTime()+c.ProcessState.SystemTime()
	if t.cpu > patience*time.Second { // with that of its children, which the limit is not of
		t.slow = true
		return ""
	}
	text, err := os.ReadFile(file)
	if !errors.Is(err, os.ErrNotExist) {
		check(err)
	}
	return string(text)
}

func pattern(tests ...test) string {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = regexp.QuoteMeta(t.name)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// try runs the tests that reach mutant i, the fast ones first.
func (b *bench) try(i int) outcome {
	var fast, slow []test
	for _, t := range b.reach[i] {
		if b.tests[t].cpu < quick && b.tests[t].wall < brief {
			fast = append(fast, b.tests[t])
		} else {
			slow = append(slow, b.tests[t])
		}
	}
	if result := b.run(b.program, i, fast); result != survives {
		return result
	}
	for _, t := range slow {
		if result := b.run(b.program, i, []test{t}); result != survives {
			return result
		}
	}
	return survives
}

// unasked are the names of the slow tests.
func (b *bench) unasked() []string {
	names := []string{}
	for _, t := range b.tests {
		if t.slow {
			names = append(names, t.name)
		}
	}
	slices.Sort(names)
	return names
}

// tryApart compiles a program of its own for a mutant that cannot be switched on.
func (b *bench) tryApart(m mutant) outcome {
	if b.source.joins(b.source.nodes[m.place]) {
		return notViable
	}
	b.source.restore()
	b.source.with(m)
	defer b.source.restore()
	program := filepath.Join(b.scratch, "apart.test")
	if b.compile(program) != nil {
		return notViable
	}
	return b.run(program, -1, slices.DeleteFunc(slices.Clone(b.tests), func(t test) bool { return t.slow }))
}

// run runs tests until one fails.
func (b *bench) run(program string, mutant int, tests []test) outcome {
	if len(tests) == 0 {
		return survives
	}
	cpu, wall := allowance, stall
	for _, t := range tests {
		cpu += coefficient * t.cpu
		wall += coefficient * t.wall
	}
	c := limited(program, max(1, int(math.Round(cpu.Seconds()))), "-test.failfast", "-test.timeout", (2 * wall).String(), "-test.run", pattern(tests...))
	c.Dir = b.source.dir
	c.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant))
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	c.WaitDelay = time.Second // for what a test left behind
	check(c.Start())
	stalled := time.AfterFunc(wall, func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
	err := c.Wait()
	if !stalled.Stop() || ended(c) {
		return timedOut
	}
	if err != nil {
		return killed
	}
	return survives
}

// judge tries all mutants of the package at dir, tells of each, and names the tests that
// it did not run. Kinds that make the same change share one trial.
func judge(dir string, mutants []mutant, tell func(done, of int, m mutant, o outcome)) (results []outcome, unasked []string) {
	scratch, err := os.MkdirTemp("", "mutants-scratch")
	check(err)
	defer os.RemoveAll(scratch)
	b := prepare(dir, scratch, mutants)
	defer b.source.restore()
	type change struct {
		place
		operator string
	}
	key := func(m mutant) change {
		op, _ := operator(b.source.nodes[m.place])
		return change{m.place, mutations[m.kind][op]}
	}
	last := map[change]int{} // the index that write gave the change
	for i, m := range mutants {
		last[key(m)] = i
	}
	done := map[change]outcome{}
	for _, apart := range []bool{false, true} {
		for c, i := range last {
			if b.apart[c.place] != apart {
				continue
			}
			if apart {
				done[c] = b.tryApart(mutants[i])
			} else {
				done[c] = b.try(i)
			}
			tell(len(done), len(last), mutants[i], done[c])
		}
	}
	for _, m := range mutants {
		results = append(results, done[key(m)])
	}
	return results, b.unasked()
}
