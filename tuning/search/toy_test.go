package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/tuning/strategy"
)

// toy is an algorithm of A from 1 to 4 and B from 1 to 3. A = 3 and B = 2 are the
// fastest, A = 4 fails, and B = 3 gives a wrong answer. Its version exact says how
// long it took, real takes its time, and gpu can only be compiled.
type toy struct {
	mu   sync.Mutex
	runs []string
	// ran is told of every run.
	ran func(what string)
}

func (y *toy) run(what string) {
	y.mu.Lock()
	y.runs = append(y.runs, what)
	ran := y.ran
	y.mu.Unlock()
	if ran != nil {
		ran(what)
	}
}

// count is how many runs begin with a text.
func (y *toy) count(prefix string) (n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, r := range y.runs {
		if strings.HasPrefix(r, prefix) {
			n++
		}
	}
	return n
}

// seconds of one run.
func seconds(n, a, b int64) float64 {
	return 1e-3 * float64(n*(1+(a-3)*(a-3)+(b-2)*(b-2)))
}

type run struct {
	toy     *toy
	name    string
	n, a, b int64
	fault   error
}

func (r *run) PreRun() error  { return nil }
func (r *run) PostRun() error { return nil }
func (r *run) Run() error {
	r.toy.run(fmt.Sprintf("%s N=%d A=%d B=%d", r.name, r.n, r.a, r.b))
	return r.fault
}
func (r *run) Verify() ([]framework.Check, error) {
	return []framework.Check{{Metric: "error", Error: float64(r.b), Bound: 2}}, nil
}
func (r *run) Work() framework.Work { return framework.Work{Items: r.n, NominalFLOPs: 10 * r.n} }

type exact struct{ run }

func (e *exact) Times() ([]float64, error) { return []float64{seconds(e.n, e.a, e.b)}, nil }

type real struct{ run }

func (*real) Workers() int { return 1 }
func (r *real) Run() error {
	time.Sleep(time.Duration(seconds(r.n, r.a, r.b) * 1e9))
	return r.run.Run()
}

type size int64

func (size) Close() {}

func (y *toy) factory() *framework.Factory {
	f := &framework.Factory{Name: "toy",
		Params:     []framework.Param{{Name: "N", Kind: framework.Int, Default: framework.IntValue(1), Min: 1, Max: 100}},
		NewProblem: func(_ framework.Env, p framework.Values) (framework.Problem, error) { return size(p.Int("N")), nil }}
	for _, name := range []string{"exact", "real", "gpu"} {
		v := framework.Version{Name: name, Processor: framework.CPU,
			Tunables: []framework.Tunable{{Name: "A", Values: []int64{1, 2, 3, 4}}, {Name: "B", Values: []int64{1, 2, 3}}},
			Defaults: func(framework.Values, gpu.Facts) framework.Values {
				return framework.Values{"A": framework.IntValue(1), "B": framework.IntValue(1)}
			},
			Valid: func(_, v framework.Values, _ gpu.Facts) error {
				if v.Int("A") == 4 && v.Int("B") == 1 {
					return errors.New("A = 4 needs B above 1")
				}
				return nil
			}}
		if name == "gpu" {
			v.Processor = framework.GPU
		}
		v.New = func(env framework.Env, p framework.Problem, v framework.Values) (framework.BaseAlgorithm, error) {
			r := run{toy: y, name: name, n: int64(p.(size)), a: v.Int("A"), b: v.Int("B")}
			if r.a == 4 {
				r.fault = errors.New("four is too many")
			}
			switch name {
			case "exact":
				return &exact{r}, nil
			case "real":
				return &real{r}, nil
			}
			if _, compiles := env.Device.(*offline.Device); !compiles {
				return nil, errors.New("compiled only")
			}
			if r.a == 4 {
				_, r.fault = env.Device.Compile(gpu.Source{Name: "toy.cu", Text: "#error four is too many"})
			}
			return &r, nil
		}
		f.Versions = append(f.Versions, v)
	}
	return f
}

// subject is of a config with these lines beside its algorithm.
func (y *toy) subject(t *testing.T, lines string) experiment.Subject {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toy.json")
	if err := os.WriteFile(path, []byte(`{"algorithm": "toy", "sensors": [], `+lines+`}`), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return experiment.Subject{Config: c, Factory: y.factory()}
}

// options are those of an exhaustive search on the CPU, with the worker in this
// process.
func (y *toy) options(name string) Options {
	return Options{Objective: Time, Device: "cpu", Strategy: *strategy.Find(name), Budget: 100, Note: func(string, ...any) {},
		Choices: engine.Choices{Seed: 1, Local: &engine.Plugins{Factory: func(*config.Config) (*framework.Factory, error) { return y.factory(), nil }}}}
}

func (y *toy) open(t *testing.T, lines string, o Options) *Search {
	t.Helper()
	s, err := Open(t.Context(), y.subject(t, lines), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func journalIn(t *testing.T, dir string) *record.Journal {
	t.Helper()
	j, err := record.CreateJournal(dir, record.Header{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// show is an observer that logs, and calls when after every entry.
type show struct {
	log  []string
	when func(event string)
}

func (s *show) add(event string) {
	s.log = append(s.log, event)
	if s.when != nil {
		s.when(event)
	}
}

func (s *show) Started(plan.Point)               { s.add("started") }
func (s *show) Phase(_ plan.Point, p string)     { s.add("phase") }
func (s *show) Done(*record.Result)              { s.add("done") }
func (s *show) Began(v *Version)                 { s.add("began") }
func (s *show) Tried(_ *Version, _ Trial, n int) { s.add(fmt.Sprintf("tried %d", n)) }
func (s *show) Ended(*Version)                   { s.add("ended") }
func (s *show) Confirmed(*Version, *Task)        { s.add("confirmed") }

// costs are the trials in words: A B cost.
func costs(s *Search) (list []string) {
	for _, x := range s.Trials {
		p := x.Result.Point.Tunables
		list = append(list, fmt.Sprintf("%s A=%s B=%s %s %.6g", x.Task.Name, p["A"], p["B"], x.Result.Status, x.Cost))
	}
	return slices.Clip(list)
}
