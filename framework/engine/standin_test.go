package engine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// standIn is an algorithm whose versions do what their names say.
type standIn struct {
	version string
	log     *log
	crash   func()
	hang    chan struct{}
	runs    int
}

// log is what happened, in order.
type log struct {
	mu   sync.Mutex
	list []string
}

func (l *log) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, fmt.Sprintf(format, args...))
}

func (l *log) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	return list
}

// await waits for an entry, as long as a busy machine may take.
func (l *log) await(t *testing.T, entry string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		list := slices.Clone(l.list)
		l.mu.Unlock()
		if slices.Contains(list, entry) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in %q", entry, list)
		}
	}
}

func (s *standIn) PreRun() error {
	s.log.add("PreRun %s", s.version)
	if s.version == "unprepared" {
		return errors.New("no\n room")
	}
	return nil
}

func (s *standIn) Run() error {
	switch s.version {
	case "fails":
		return errors.New("run refused")
	case "overruns":
		return fmt.Errorf("ran for an hour and %w", framework.ErrTimeout)
	case "panics":
		panic("out of wits")
	case "crashes":
		s.crash()
		<-s.hang
	case "hangs":
		<-s.hang
	case "tires":
		if s.runs++; s.runs > 1 {
			return errors.New("tired")
		}
	}
	return nil
}

func (s *standIn) Verify() ([]framework.Check, error) {
	switch s.version {
	case "wrong":
		return []framework.Check{{Metric: "error", Error: 2, Bound: 1}, {Metric: "distance", Error: math.NaN(), Bound: 1}}, nil
	case "unverified":
		return nil, errors.New("no reference")
	case "unchecked":
		return nil, nil
	}
	return []framework.Check{{Metric: "error", Error: 1, Bound: 1}}, nil
}

// quick is a stand-in with a fast check.
type quick struct{ *standIn }

func (q quick) VerifyFast() ([]framework.Check, error) {
	q.log.add("VerifyFast %s", q.version)
	switch q.version {
	case "quick but wrong":
		return []framework.Check{{Metric: "identity", Error: 2, Bound: 1}}, nil
	case "too small to be quick":
		return nil, fmt.Errorf("N: %w", framework.ErrNoFastCheck)
	case "quick but unverified":
		return nil, errors.New("no identity")
	}
	return []framework.Check{{Metric: "identity", Error: 1, Bound: 1}}, nil
}

// again is a stand-in that is checked after it was timed.
type again struct{ *standIn }

func (a again) Recheck() ([]framework.Check, error) {
	switch a.version {
	case "right once":
		return []framework.Check{{Metric: "error", Error: 3, Bound: 1, Where: "x[2]: got 5, want 2"}}, nil
	case "lost":
		return nil, errors.New("gone")
	}
	return a.Verify()
}

// shown is a stand-in whose answer can be shown: of three elements the first is right,
// the second wrong, and the third not written.
type shown struct {
	*standIn
	out  []int32
	runs int32
}

func (a *shown) Run() error {
	a.runs++
	a.out[0], a.out[1] = 7, 7+a.runs
	return nil
}

func (a *shown) Verify() ([]framework.Check, error) {
	return []framework.Check{{Metric: "error", Error: 2, Bound: 1}}, nil
}

func (a *shown) Answers() ([]framework.Answer, error) {
	if a.version == "not shown" {
		return nil, errors.New("lost it")
	}
	return []framework.Answer{{Name: "y", Shape: []int64{3, 1}, Got: framework.ArrayOf(a.out), Want: framework.ArrayOf([]int32{7, 7, 7})}}, nil
}

func (a *shown) Overwrite(value byte) error {
	framework.Overwrite(a.out, value)
	return nil
}

func (s *standIn) PostRun() error {
	s.log.add("PostRun %s", s.version)
	if s.version == "unclean" {
		return errors.New("left over")
	}
	return nil
}

func (s *standIn) Work() framework.Work { return framework.Work{NominalFLOPs: 42} }
func (s *standIn) Workers() int         { return 1 }

type problem struct {
	log  *log
	name string
}

func (p *problem) Close() { p.log.add("close %s", p.name) }

// meter is a sensor of 10 W, which takes a new value each millisecond.
type meter struct{}

func (meter) Name() string { return "meter" }
func (meter) Channels() []framework.Channel {
	return []framework.Channel{{Name: "board", Unit: "W", Role: framework.Total}}
}
func (meter) Sample(dst []float64) error {
	dst[0] = 10 + 0.01*float64(time.Now().UnixMilli()%7)
	return nil
}
func (meter) Notes() []string    { return nil }
func (meter) Close() error       { return nil }
func (meter) Averaging() float64 { return 0 }

// bed is an engine with workers in this process.
type bed struct {
	*Engine
	log        *log
	started    int // workers
	hang       chan struct{}
	operations []Operation
}

// newBed makes an engine of the stand-in; root is a tree of its own.
func newBed(t *testing.T, change func(*Options)) *bed {
	t.Helper()
	b := &bed{log: &log{}, hang: make(chan struct{})}
	measure := config.DefaultMeasure()
	measure.MinSamples, measure.MinTime, measure.Timeout, measure.PowerWindow = 2, 0.0001, 0.05, 0.02
	measure.PointTimeout, measure.CoolDown = patience.Seconds(), 0
	opt := Options{Config: &config.Config{Algorithm: "stand-in", Measure: measure, Sensors: []string{}}, Choices: Choices{Seed: 7, Root: t.TempDir()}, Workers: 1}
	if change != nil {
		change(&opt)
	}
	crash := make(chan struct{}, 1)
	factory := &framework.Factory{Name: "stand-in", NewProblem: func(env framework.Env, params framework.Values) (framework.Problem, error) {
		b.log.add("problem %s seed %d workers %d", params["N"], env.Seed, env.Workers)
		if params.Int("N") == 13 {
			return nil, errors.New("unlucky")
		}
		return &problem{b.log, params["N"].String()}, nil
	}}
	for _, name := range []string{"ok", "wrong", "fails", "overruns", "panics", "crashes", "hangs", "tires", "unprepared", "unverified", "unclean", "unchecked",
		"quick", "quick but wrong", "too small to be quick", "quick but unverified", "checked again", "right once", "lost", "shown", "not shown"} {
		factory.Versions = append(factory.Versions, framework.Version{Name: name, Processor: framework.CPU,
			New: func(env framework.Env, p framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
				env.Note("made %s", name)
				s := &standIn{name, b.log, func() { crash <- struct{}{} }, b.hang, 0}
				if strings.Contains(name, "quick") {
					return quick{s}, nil
				}
				if strings.Contains("checked again, right once, lost", name) {
					return again{s}, nil
				}
				if strings.Contains(name, "shown") {
					return &shown{standIn: s, out: make([]int32, 3)}, nil
				}
				return s, nil
			}})
	}
	if opt.Factory == nil {
		opt.Factory = factory
	}
	b.Engine = New(opt)
	b.Engine.start = func() (*process, error) {
		b.started++
		p := local(Plugins{
			Factory: func(*config.Config) (*framework.Factory, error) { return opt.Factory, nil },
			Sensors: []framework.SensorFactory{{Name: "meter", Open: func(framework.SensorEnv) (framework.Sensor, error) { return meter{}, nil }},
				{Name: "none", Open: func(framework.SensorEnv) (framework.Sensor, error) { return nil, errors.New("no such chip") }}},
			Operations: b.operations,
		}, func() { b.log.add("orphaned") })
		go func() {
			select {
			case <-crash:
				p.tail.Write([]byte("first\nlast words\n"))
				p.end()
			case <-p.exited:
			}
		}()
		return p, nil
	}
	t.Cleanup(func() {
		close(b.hang)
		b.Close()
	})
	return b
}

func pointOf(version string, n int64) plan.Point {
	return plan.Point{Algorithm: "stand-in", Version: version, Processor: framework.CPU, Device: "cpu",
		Params: framework.Values{"N": framework.IntValue(n)}, ParamOrder: []string{"N"}}
}

// heat sets the temperature of the bed's machine.
func heat(t *testing.T, root, degrees string) {
	t.Helper()
	zone := filepath.Join(root, "sys/class/thermal/thermal_zone0")
	if err := os.MkdirAll(zone, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"type": "soc", "temp": degrees + "000"} {
		if err := os.WriteFile(filepath.Join(zone, name), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const soon = 100 * time.Millisecond

// foreign is code of others, with a second set of inputs.
type foreign struct{ *shown }

func (foreign) Renew() error             { return nil }
func (foreign) Alternate() (bool, error) { return true, nil }
func (foreign) Sets() int                { return 2 }
func (foreign) Use(int) error            { return nil }
func (f foreign) Verify() ([]framework.Check, error) {
	return []framework.Check{{Metric: "error", Bound: 1}}, nil
}
