package experiment_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v3/mem"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu/cuda/offline"
)

// compilesOnly is an algorithm whose versions note that they were compiled, and how
// many are at a time.
type compilesOnly struct {
	mu       sync.Mutex
	compiled []string
	now      int
	most     int
}

type inputs int64

func (inputs) Close() {}

func (c *compilesOnly) factory() *framework.Factory {
	f := &framework.Factory{Name: "compiles", Params: []framework.Param{{Name: "N", Kind: framework.Int, Default: number(1), Min: 1, Max: 1 << 40}},
		NewProblem: func(_ framework.Env, p framework.Values) (framework.Problem, error) { return inputs(p.Int("N")), nil }}
	for _, v := range []framework.Version{{Name: "ours", Processor: framework.GPU}, {Name: "theirs", Processor: framework.GPU, Peer: true}, {Name: "host", Processor: framework.CPU}} {
		name := v.Name
		v.New = func(env framework.Env, p framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			if _, here := env.Device.(*offline.Device); !here {
				return nil, errors.New("compiled only")
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.compiled = append(c.compiled, name+" "+number(int64(p.(inputs))).String())
			c.now++
			c.most = max(c.most, c.now)
			return compiledOnly{c}, nil
		}
		f.Versions = append(f.Versions, v)
	}
	return f
}

type compiledOnly struct{ c *compilesOnly }

func (compiledOnly) PreRun() error { return nil }
func (compiledOnly) Run() error    { time.Sleep(10 * time.Millisecond); return nil } // as long as others take to begin
func (a compiledOnly) PostRun() error {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	a.c.now--
	return nil
}
func (compiledOnly) Verify() ([]framework.Check, error) { return nil, nil }
func (compiledOnly) Work() framework.Work               { return framework.Work{} }

// open opens an experiment of a config with these lines.
func (c *compilesOnly) open(t *testing.T, lines string, change func(*framework.Factory, *experiment.Options)) *experiment.Experiment {
	t.Helper()
	f := c.factory()
	o := experiment.Options{Facts: plan.AnyGPU(), Choices: engine.Choices{Local: &engine.Plugins{Factory: func(*config.Config) (*framework.Factory, error) { return f, nil }}}}
	change(f, &o)
	x, err := experiment.Open(t.Context(), parsed(t, `{"algorithm": "compiles", `+lines+`}`, f), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// all compiles all points of an experiment ahead.
func (c *compilesOnly) all(t *testing.T, x *experiment.Experiment) []string {
	t.Helper()
	end := x.CompileAhead(t.Context(), x.Plan.Points)
	count := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.compiled)
	}
	for deadline := time.Now().Add(time.Minute); count() < len(x.Plan.Points) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	end()
	return c.compiled
}

func asIs(*framework.Factory, *experiment.Options) {}
func every(points []plan.Point) []plan.Point       { return points }
func rest(points []plan.Point) []plan.Point        { return points[1:] }
func instances(points []plan.Point) []plan.Point {
	p := plan.Plan{Points: points}
	p.Repeat(3)
	return p.Points
}

// Where /proc/meminfo cannot be read, there is not room for none.
func TestRoomForCompilers(t *testing.T) {
	tree := t.TempDir()
	if got := experiment.WithRoom(machine.Tree(tree), 3, 1<<20); got != 3 {
		t.Errorf("without /proc/meminfo %d compilers, want all 3", got)
	}
	if err := os.Mkdir(filepath.Join(tree, "proc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "proc/meminfo"), []byte("MemTotal: 65536 kB\nMemFree: 8192 kB\nMemAvailable: 8192 kB\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for bytes, want := range map[int64]int{0: 3, 1: 3, 1 << 20: 2, 4 << 20: 0} {
		if got := experiment.WithRoom(machine.Tree(tree), 3, bytes); got != want {
			t.Errorf("%d compilers of %d bytes each in a quarter of 8 MiB, want %d", got, bytes, want)
		}
	}
}

// The kernels of the points to go are compiled once each, beside what is measured,
// unless that could be disturbed.
func TestCompileAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const three = `"sweep_arg": {"N": [1, 2, 3]}, "versions": ["ours"]`
	all := []string{"ours 1", "ours 2", "ours 3"}
	for _, c := range []struct {
		name, lines string
		change      func(*framework.Factory, *experiment.Options)
		choose      func([]plan.Point) []plan.Point
		want        []string
	}{
		{"all", three, asIs, every, all},
		{"the rest", three, asIs, rest, all[1:]},
		{"instances", three, asIs, instances, all},
		{"no library", `"sweep_arg": {"N": [1, 2]}, "versions": ["ours", "theirs"]`, asIs, every, all[:2]},
		{"beside the CPU", `"sweep_arg": {"N": [1, 2, 3]}, "versions": ["ours", "host"]`, asIs, every, nil},
		{"a meter", three + `, "sensors": [{"external": {"command": ["watts"]}}]`, asIs, every, nil},
		{"integrated", three, func(_ *framework.Factory, o *experiment.Options) {
			jetson := *plan.AnyGPU()
			jetson.Integrated = true
			o.Facts = &jetson
		}, every, nil},
		{"simulated", three, func(_ *framework.Factory, o *experiment.Options) { o.Device = "sim" }, every, nil},
		{"three CPUs", three, func(*framework.Factory, *experiment.Options) { runtime.GOMAXPROCS(3) }, every, nil},
		{"put elsewhere", three, func(*framework.Factory, *experiment.Options) { t.Setenv("BENCH_WORKER_PREFIX", "taskset 1") }, every, nil},
		{"too large", three, func(f *framework.Factory, _ *experiment.Options) {
			f.HostBytes = func(framework.Values) int64 { return 1 << 60 }
		}, every, nil},
	} {
		x := (&compilesOnly{}).open(t, c.lines, c.change)
		points, count := experiment.Ahead(x, c.choose(x.Plan.Points))
		var got []string
		for _, p := range points {
			got = append(got, p.Version+" "+p.Params["N"].String())
		}
		if !slices.Equal(got, c.want) || count != min(len(got), 3) {
			t.Errorf("%s: %q, %d at a time, want %q", c.name, got, count, c.want)
		}
		os.Unsetenv("BENCH_WORKER_PREFIX")
		runtime.GOMAXPROCS(4)
	}
}

// One CPU is left to what is measured, and no more points are compiled at a time than
// there is memory for, in their order.
func TestCompileAheadLeavesRoom(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const ten = `"sweep_arg": {"N": {"from": 1, "to": 10, "step": 1}}, "versions": ["ours"]`
	wide := &compilesOnly{}
	if got := wide.all(t, wide.open(t, ten, asIs)); len(got) != 10 || wide.most > 3 {
		t.Errorf("%q, %d at a time, want 3 at most", got, wide.most)
	}
	m, err := mem.VirtualMemory()
	if err != nil {
		t.Fatal(err)
	}
	narrow := &compilesOnly{}
	got := narrow.all(t, narrow.open(t, ten, func(f *framework.Factory, _ *experiment.Options) {
		f.HostBytes = func(framework.Values) int64 { return int64(m.Available) / 6 }
	}))
	if want := "ours 1,ours 2,ours 3,ours 4,ours 5,ours 6,ours 7,ours 8,ours 9,ours 10"; strings.Join(got, ",") != want || narrow.most != 1 {
		t.Errorf("%q, %d at a time", got, narrow.most)
	}
}
