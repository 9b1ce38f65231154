package experiment

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu/cuda/offline"
)

const (
	// leastCPUs is how many CPUs a machine must have to leave one to the measurement beside
	// compiling.
	leastCPUs = 4
	// aheadShare is the share of the free memory for the inputs of points that are compiled ahead.
	aheadShare = 0.25
)

// CompileAhead compiles the kernels of points into the disk cache, in the order of the points, in
// other processes beside the worker. The worker never waits for them: what it does not find it
// compiles itself. Nothing is compiled ahead if that could disturb what is measured. end ends the
// processes, as the end of ctx does, and waits for them.
func (x *Experiment) CompileAhead(ctx context.Context, points []plan.Point) (end func()) {
	todo, count := x.ahead(points)
	if len(todo) == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	compiling := x.EngineOptions(x.Config)
	compiling.Workers = 1
	compilers := engine.NewCompilers(count, compiling, *x.Facts)
	var wait sync.WaitGroup
	wait.Go(func() {
		defer compilers.Close()
		// A point that does not compile says so when it is measured.
		compilers.Compile(ctx, todo, func(plan.Point, []offline.Launch, error) {})
	})
	return func() {
		cancel()
		wait.Wait()
	}
}

// aheadObserver begins to compile the points after the first when that one is timed:
// until then compilers would take CPUs and memory from its inputs and its
// verification, and the first result would come later.
type aheadObserver struct {
	engine.Observer
	toGo  []plan.Point
	begin func([]plan.Point) (end func())
	end   func() // nil until begun
}

// Phase implements engine.Observer.
func (a *aheadObserver) Phase(p plan.Point, phase string) {
	if a.end == nil && phase == engine.PhaseCold {
		timed := slices.IndexFunc(a.toGo, func(x plan.Point) bool { return x.Key() == p.Key() })
		a.end = a.begin(a.toGo[timed+1:])
	}
	a.Observer.Phase(p, phase)
}

func (a *aheadObserver) close() {
	if a.end != nil {
		a.end()
	}
}

// ahead returns those of the points that can be compiled beside what is measured, each
// once, and how many at a time. CPU versions would be disturbed. A library brings its
// code, and may open the GPU.
func (x *Experiment) ahead(points []plan.Point) (todo []plan.Point, count int) {
	if x.Facts == nil || x.Disturbed() || x.options.Sanitizer != nil {
		return nil, 0
	}
	for _, p := range x.Plan.Points {
		if p.Processor == framework.CPU && p.Skip == "" {
			return nil, 0
		}
	}
	seen := map[string]bool{}
	for _, p := range points {
		if _, err := engine.ParseDevices(p.Device); err != nil || engine.OpenCL(p.Device) || p.Skip != "" || p.Peer || !x.likeFirst(p.Device) {
			continue
		}
		p.Instance, p.PowerMode, p.Device, p.Shared = 0, "", x.machine.Device, "" // of the same code
		if seen[p.Key()] {
			continue
		}
		seen[p.Key()] = true
		todo = append(todo, p)
	}
	if count = min(x.Compilers(todo), len(todo)); count < 1 {
		return nil, 0
	}
	return todo, count
}

// Disturbed reports whether compilers would disturb what is measured: a GPU that shares memory and
// power with the CPU, an external meter, which may measure the whole machine, a worker bound to
// certain CPUs, or a machine with few CPUs.
func (x *Experiment) Disturbed() bool {
	return x.Facts != nil && x.Facts.Integrated || x.Config.External != nil || engine.Prefixed() || runtime.GOMAXPROCS(0) < leastCPUs
}

// Compilers returns how many processes may compile these points: all CPUs but one for each worker,
// and no more than have room for the inputs of the largest.
func (x *Experiment) Compilers(points []plan.Point) int {
	count := min(runtime.GOMAXPROCS(0)-len(x.Crew), engine.MostCompilers)
	if x.Factory.HostBytes == nil {
		return count
	}
	var largest int64
	for _, p := range points {
		largest = max(largest, x.Factory.HostBytes(p.Params))
	}
	return withRoom(machine.Live, count, largest)
}

// withRoom returns for how many of count, each of so many bytes, a machine has room; all, if its
// free memory is unknown.
func withRoom(m machine.Tree, count int, bytes int64) int {
	free, total := m.Memory()
	if total == 0 || bytes == 0 {
		return count
	}
	return int(min(float64(count), aheadShare*float64(free)/float64(bytes)))
}
