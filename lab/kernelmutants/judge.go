package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// seed is of the inputs and of the simulator's order; launchLimit ends endless loops.
const (
	seed        = 1
	launchLimit = 10 * time.Second
)

// outcome is what became of a mutant, or of a point with one.
type outcome string

const (
	named     outcome = "named"     // the simulator reports a mistake
	wrong     outcome = "wrong"     // the answer is refused, or the version itself fails
	refused   outcome = "refused"   // does not compile: no mutant
	rounding  outcome = "rounding"  // another answer, within the tolerance
	unchanged outcome = "unchanged" // the same bytes
	ended     outcome = "ended"     // the process crashed or hung
	unreached outcome = "unreached" // no point compiles it
)

// solution is a point's run.
type solution struct {
	Outcome outcome
	Report  string
	Hash    uint64
	Seconds float64
	texts   map[string]bool
	loads   map[string]bool
}

// solve runs and verifies a point once, as `bench verify` does. A nil change is none.
func solve(d gpu.Device, s subject, p point, change *mutant, original string) (r solution) {
	start := time.Now()
	m := &mutated{Device: d, change: change, original: original, answers: fnv.New64a(), texts: map[string]bool{}}
	if change == nil {
		m.loads = map[string]bool{}
	}
	defer func() {
		r.Seconds, r.Hash, r.texts, r.loads = time.Since(start).Seconds(), m.answers.Sum64(), m.texts, m.loads
		if change != nil && !m.applied && r.Outcome == unchanged {
			r.Outcome = unreached
		}
	}()
	checks, err := run(m, s, p)
	compile := (*gpu.CompileError)(nil)
	switch {
	case errors.As(err, &compile):
		return solution{Outcome: refused, Report: compile.Log}
	case err != nil && (strings.Contains(err.Error(), "sim: kernel ") || errors.Is(err, sim.ErrLimit)):
		return solution{Outcome: named, Report: err.Error()}
	case err != nil:
		return solution{Outcome: wrong, Report: err.Error()}
	}
	var reasons []string
	for _, c := range checks {
		if !c.OK() {
			reasons = append(reasons, fmt.Sprintf("%s %.3g is above %.3g", c.Metric, c.Error, c.Bound))
		}
	}
	if len(reasons) == 0 {
		return solution{Outcome: unchanged}
	}
	return solution{Outcome: wrong, Report: strings.Join(append(reasons, d.(*sim.Device).Suspicions()...), "; ")}
}

func run(d gpu.Device, s subject, p point) (checks []framework.Check, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v", x)
		}
	}()
	env := framework.Env{Seed: seed, Workers: 1, Device: d, Note: func(string, ...any) {}}
	params := s.complete(s.problems()[p.Problem])
	problem, err := s.factory.NewProblem(env, params)
	if err != nil {
		return nil, err
	}
	defer problem.Close()
	v := s.factory.VersionOn(p.Version, framework.GPU)
	a, err := v.New(env, problem, p.tunables(v, params, d.Facts()))
	if err != nil {
		return nil, err
	}
	if err = a.PreRun(); err == nil {
		if err = a.Run(); err == nil {
			err = d.Synchronize(env.Stream)
		}
		if err == nil {
			checks, err = a.Verify()
		}
	}
	return checks, errors.Join(err, a.PostRun())
}

// open is the simulator with all checks, on one core, so that a run repeats.
func open() (gpu.Device, error) {
	runtime.LockOSThread()
	d, err := sim.Open(seed, sim.Checks(), sim.Workers(1), sim.Limit(launchLimit))
	if err != nil {
		return nil, err
	}
	return d, d.Bind()
}

// verdict is what is published of a mutant.
type verdict struct {
	Outcome outcome
	Right   bool // the report names a line of the mistake
	Report  string
	Point   string
	Points  int
	Seconds float64
}

// again is at how many more points a mutant without a report of the line is tried.
const again = 1

// examine tries a mutant at points until one of them names it with its line. A wrong
// answer that is not named is tried at a few more.
func examine(d gpu.Device, m mutant, original string, of map[string]subject, points []point, hashes []uint64) verdict {
	start := time.Now()
	best := verdict{Outcome: unreached}
	rank := map[outcome]int{unreached: 0, unchanged: 1, rounding: 2, wrong: 3, named: 4}
	seen := 0
	for i, p := range points {
		s := of[p.Subject]
		r := solve(d, s, p, &m, original)
		best.Points++
		if r.Outcome == refused {
			best.Outcome, best.Report = refused, firstError(r.Report)
			break
		}
		if r.Outcome == unchanged && r.Hash != hashes[i] {
			r.Outcome = rounding
		}
		right := isRight(m, r.Report)
		if rank[r.Outcome] > rank[best.Outcome] || right && !best.Right {
			best.Outcome, best.Report, best.Right = r.Outcome, strings.Join(strings.Fields(r.Report), " "), right
			best.Point = fmt.Sprintf("%s %v", p, s.problems()[p.Problem])
		}
		if r.Outcome == wrong || r.Outcome == named {
			seen++
		}
		if best.Right || seen > again {
			break
		}
	}
	best.Seconds = time.Since(start).Seconds()
	return best
}

var (
	place      = regexp.MustCompile(`([\w.-]+\.cuh?):(\d+)`)
	firstFault = regexp.MustCompile(`(?m)^.*\berror: .*$`)
)

func firstError(log string) string {
	if line := firstFault.FindString(log); line != "" {
		return line
	}
	return strings.Join(strings.Fields(log), " ")
}

// isRight tells whether a report names a line of the mistake, or the array that is too
// short.
func isRight(m mutant, report string) bool {
	if m.Kind == shrunk && (strings.Contains(report, "__shared__ "+m.Name+" ") || m.Dynamic && strings.Contains(report, "the dynamic shared memory")) {
		return true
	}
	for _, p := range place.FindAllStringSubmatch(report, -1) {
		n, err := strconv.Atoi(p[2])
		if err != nil || p[1] != path.Base(m.File) {
			continue
		}
		for _, r := range m.Right {
			if r.holds(n) {
				return true
			}
		}
	}
	return false
}
