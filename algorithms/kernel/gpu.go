package kernel

import (
	"bytes"
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// gpuRun is a version's kernels at one point.
type gpuRun struct {
	framework.GPURun
	p        *problem    // the problem whose inputs are in place
	sets     [2]*problem // with the point's own inputs, and with other inputs; nil if there is none or it is not made yet
	v        *variant
	sizes    []int64 // elements of vectors, by argument
	source   gpu.Source
	compiled []kernelLaunch
	tunables framework.Values
	work     framework.Work

	vectors   []gpu.Pointer  // by argument
	read      map[int]vector // downloaded vectors, by argument
	bytes     []int64
	tables    map[string]gpu.Pointer // arrays of pointers, by content
	images    map[int]readyImage     // textures and surfaces, by argument
	samplers  map[int]uint64         // likewise
	globals   []readyGlobal
	launch    []readyLaunch
	stages    []kernelStage // of launch; nil until they are asked for
	variables []readyGlobal // the module's variables, restored between timed runs
	drawn     int           // how many more sets of inputs were drawn
	guard     *guard        // nil if the device itself detects writes beyond a vector
}

// readyLaunch is a launch with nothing left to compute.
type readyLaunch struct {
	name      string // the kernel's, as the config has it
	kernel    gpu.Kernel
	shape     gpu.Launch
	arguments []any
	before    []readyImage // copied to their arrays
	behind    []readyImage // copied back
}

// readyGlobal is a constant's place and its content on the device.
type readyGlobal struct {
	at      gpu.Pointer
	from    [2]gpu.Pointer // by set of inputs
	bytes   int64
	written bool
}

// resettingGPU is a gpuRun that changes its inputs.
type resettingGPU struct{ *gpuRun }

var (
	_ framework.GPUAlgorithm = (*gpuRun)(nil)
	_ framework.Resetter     = resettingGPU{}
	_ framework.Refresher    = (*gpuRun)(nil)
)

func newGPURun(env framework.Env, a *algorithm, v *variant, p *problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
	facts := env.Device.Facts()
	work, err := a.work(v, p.params, tunables, facts)
	if err != nil {
		return nil, err
	}
	g := &gpuRun{GPURun: framework.GPURun{Env: env}, p: p, sets: [2]*problem{p}, v: v, compiled: v.launches, tunables: tunables, work: work, read: map[int]vector{}}
	if g.source, err = v.unit.source(a, v, p.params, tunables, facts, v.launches); err != nil {
		return nil, err
	}
	for _, l := range v.Benign {
		env.Remark("races in %s, and reads of what was never written, are no mistake: %s", l.Line, l.Reason)
	}
	if g.sizes, err = p.sized(v.launches, tunables, facts); err != nil {
		return nil, err
	}
	if a.resets(v) {
		return resettingGPU{g}, nil
	}
	return g, nil
}

func (g *gpuRun) PreRun() error {
	// Compile and launch errors come before memory is filled.
	module, err := g.Compile(g.source)
	if err != nil {
		return err
	}
	if err := g.fill(); err != nil {
		return err
	}
	if err := g.findGlobals(module); err != nil {
		return err
	}
	if err := g.keepVariables(module); err != nil {
		return err
	}
	env := settings(g.Device.Facts(), g.p.params, g.tunables)
	kernels := map[*kernelLaunch]gpu.Kernel{}
	return perform(g.compiled, env, func(l *kernelLaunch, env scope) error {
		k, ok := kernels[l]
		if !ok {
			if k, err = module.Kernel(l.expression(g.source.Defines, g.p.params, g.tunables)); err != nil {
				return err
			}
			if err := g.parametersMatch(k, l); err != nil {
				return err
			}
			kernels[l] = k
		}
		r := readyLaunch{name: l.Name, kernel: k}
		if r.shape, err = l.shape(env); err != nil {
			return fmt.Errorf("kernel %s: %w", l.Name, err)
		}
		for _, j := range l.operands {
			o := &g.p.a.arguments[j]
			x, err := g.passed(j, env)
			if err != nil {
				return err
			}
			r.arguments, r.shape.Arguments = append(r.arguments, x), append(r.shape.Arguments, o.Name)
		}
		r.before, r.behind = g.shown(l)
		g.launch = append(g.launch, r)
		return nil
	})
}

// parametersMatch refuses arguments that the compiled kernel does not take, if the device knows the kernel's
// parameters: in the simulator.
func (g *gpuRun) parametersMatch(k gpu.Kernel, l *kernelLaunch) error {
	known, ok := k.(interface {
		Parameters() []string
		Warn(string)
	})
	if !ok {
		return nil
	}
	list := known.Parameters()
	for i, j := range l.operands {
		if i >= len(list) {
			break // the launch reports the right number
		}
		o, e, takes := &g.p.a.arguments[j], g.p.element(j), simulated(list[i])
		if wrong := takes.mismatch(o, e, "kernel "+l.Name); wrong != "" {
			return errors.New(wrong)
		}
		if takes.parts == nil && e.name != addressType && o.pointer == nil && e.part != "u8" && e.part != "i8" {
			known.Warn(fmt.Sprintf("argument %s is not compared with the parameter, whose type has unknown parts", o.Name))
		}
	}
	return nil
}

// fill allocates the vectors and uploads the inputs. Vectors without input are poisoned, so that no answer of
// an earlier run is taken for this run's.
func (g *gpuRun) fill() (err error) {
	n := len(g.p.a.arguments)
	g.guard = newGuard(g.Device, g.Sanitized)
	g.vectors, g.bytes = make([]gpu.Pointer, n), make([]int64, n)
	for i, used := range g.p.a.used(g.compiled) {
		if !used {
			continue
		}
		o := &g.p.a.arguments[i]
		if g.bytes[i] = g.sizes[i] * g.p.element(i).bytes; o.inside {
			continue
		}
		if g.vectors[i], err = g.guard.alloc(&g.GPURun, g.bytes[i]); err != nil {
			return fmt.Errorf("argument %s: %w", o.Name, err)
		}
		if !o.isFilled() {
			if g.Sanitized {
				continue
			}
			if err := g.Device.SetAsync(g.vectors[i], g.p.poison(framework.Poison), g.bytes[i], g.Env.Stream); err != nil {
				return err
			}
			continue
		}
		from, err := g.p.upload(g.Device, i)
		if err != nil {
			return fmt.Errorf("argument %s: %w", o.Name, err)
		}
		if o.Use == inPlace {
			continue // by restore
		}
		if err := g.Device.CopyAsync(g.vectors[i], from, g.bytes[i], g.Env.Stream); err != nil {
			return err
		}
	}
	g.transfer()
	return g.restore()
}

// transfer declares which vectors are copied in a run from input to answer.
func (g *gpuRun) transfer() {
	for i, at := range g.vectors {
		o := &g.p.a.arguments[i]
		if at != 0 && (o.Use == input || o.Use == inPlace) {
			framework.Input(&g.GPURun, at, g.p.inputs[i].data)
		}
		if at != 0 && o.isAnswer() {
			g.Output(at, g.bytes[i])
		}
	}
}

// findGlobals uploads the contents of the constants and copies them into place.
func (g *gpuRun) findGlobals(module gpu.Module) error {
	for i := range g.v.globals {
		c := &g.v.globals[i]
		r := readyGlobal{written: c.written}
		var content vector // of the inputs in place
		for set, p := range g.sets {
			if p == nil {
				continue
			}
			at, x, err := g.uploadConstant(p, i)
			if err != nil {
				return err
			}
			if r.from[set] = at; p == g.p {
				content = x
			}
		}
		r.bytes = gpu.SizeOf(content.data)
		at, bytes, err := module.Global(c.Name)
		if err != nil {
			return err
		}
		r.at = at
		if bytes >= 0 && bytes < r.bytes {
			return fmt.Errorf("constant %s has %s in %s, less than the %d of %s of %s", c.Name, terminal.Count(bytes, "byte"), g.source.Name, r.bytes, terminal.Count(content.size, "element"), content.name)
		}
		if err := g.Device.CopyAsync(r.at, r.from[g.set()], r.bytes, g.Env.Stream); err != nil {
			return err
		}
		if c.written { // a run may change it
			framework.Input(&g.GPURun, r.at, content.data)
		}
		g.globals = append(g.globals, r)
	}
	return nil
}

// restore sets in-place vectors, and variables that kernels may change, to their first values.
func (g *gpuRun) restore() error {
	for _, c := range g.globals {
		if !c.written {
			continue
		}
		if err := g.Device.CopyAsync(c.at, c.from[g.set()], c.bytes, g.Env.Stream); err != nil {
			return err
		}
	}
	for i, at := range g.vectors {
		if o := &g.p.a.arguments[i]; at == 0 || o.Use != inPlace || !o.isFilled() {
			continue
		}
		if err := g.Device.CopyAsync(at, g.p.uploaded[i], g.bytes[i], g.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

func (g *gpuRun) Run() error {
	for i := range g.launch {
		if err := g.enqueue(&g.launch[i]); err != nil {
			return err
		}
	}
	return nil
}

// enqueue enqueues one launch of a run.
func (g *gpuRun) enqueue(l *readyLaunch) error {
	for _, x := range l.before {
		if err := g.Device.CopyToArray(x.array, x.over, g.Env.Stream); err != nil {
			return err
		}
	}
	if err := l.kernel.Launch(g.Env.Stream, l.shape, l.arguments...); err != nil {
		return err
	}
	for _, x := range l.behind {
		if err := g.Device.CopyFromArray(x.over, x.array, g.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

func (g *gpuRun) Verify() ([]framework.Check, error) {
	checks, err := g.Recheck()
	if err != nil {
		return nil, err
	}
	changed, err := g.p.changed(g.unchanged, g.answer)
	return append(checks, changed...), err
}

// Recheck verifies the answer of the last timed run, and that nothing was written beyond a vector.
func (g *gpuRun) Recheck() ([]framework.Check, error) {
	checks, err := g.p.verify(g.Env, g)
	if err != nil {
		return nil, err
	}
	beyond, err := g.guard.check(&g.GPURun)
	return append(checks, beyond...), err
}

// answer downloads a vector into memory that the next download of the same vector reuses.
func (g *gpuRun) answer(i int) (vector, error) {
	v, ok := g.read[i]
	if !ok {
		v = newVector(g.p.element(i), g.sizes[i])
		g.read[i] = v
	}
	if g.p.a.arguments[i].inside {
		return v, g.column(i, v)
	}
	return v, gpu.Download(g.Device, v.data, g.vectors[i])
}

// readAtOnce is how many bytes of an input are downloaded and compared at a time.
const readAtOnce = 1 << 18

// unchanged reports whether an input still has its first contents.
func (g *gpuRun) unchanged(i int) (bool, error) {
	if o := &g.p.a.arguments[i]; o.inside {
		whole, _ := g.p.a.around(i)
		if g.vectors[whole] == 0 {
			return true, nil
		}
		now, err := g.answer(i)
		return bytes.Equal(now.data, g.p.inputs[i].data), err
	}
	if g.vectors[i] == 0 {
		return true, nil
	}
	if same, err := g.asUploaded(i); same || err != nil {
		return same, err
	}
	before, equal := g.p.inputs[i].data, true
	err := gpu.DownloadParts(g.Device, len(before), readAtOnce, g.vectors[i], func(at int, part []byte) {
		equal = equal && bytes.Equal(part, before[at:at+len(part)])
	})
	return equal, err
}

func (g *gpuRun) Work() framework.Work { return g.work }

// Reset restores the in-place arguments, on the stream.
func (g resettingGPU) Reset() error { return g.restore() }
