package plan

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// Machine is the machine that a plan is made for.
type Machine struct {
	// Processor is CPU, GPU or auto, as asked for on the command line. It overrides the config;
	// empty means auto.
	Processor string
	// Device names the GPU in points; empty is "cuda:0".
	Device string
	// Shared names several equal GPUs that share the points. If it is empty, Device has all points.
	Shared string
	// GPU is the facts of the GPU; nil if there is none. NoGPU then says why.
	GPU   *gpu.Facts
	NoGPU string
	// Described is set for a GPU that is not here. The libraries of its machine are unknown and
	// assumed to be present.
	Described bool
	// Search is set if the config's tunables are a space to search and are not to be swept. They
	// are checked, and the points have their defaults.
	Search bool
	// PowerMode is the board's mode, if it has one.
	PowerMode string
	Tuned     Tuned // may be nil
}

// Tuned returns the tunables of a version at a problem, and their source, if better ones than the
// defaults are known. No values mean the defaults. It is not called for a version of which the
// config sets a tunable.
type Tuned func(v *framework.Version, params framework.Values, facts gpu.Facts) (values framework.Values, from string)

// Plan holds the points of one config in the order in which they run. Points of one problem are
// consecutive.
type Plan struct {
	Points []Point
	// LeftOut says, one line each, which versions have no points here and why.
	LeftOut []string
	// asked holds the lines of LeftOut that the command line asked for.
	asked []string
	// shorter has what Remarks tells in place of a line of LeftOut.
	shorter map[string]string
	// Smaller says which defaults are smaller on this GPU than on others, and why.
	Smaller []string
	// Assumed names the versions whose libraries are assumed on a described machine.
	Assumed []string
	// Axes lists what is swept: parameters first, then tunables, in the order of the config.
	Axes []Axis
}

// Axis is one swept parameter or tunable.
type Axis struct {
	Name      string `json:"name"`
	Unit      string `json:"unit,omitempty"` // empty for a count
	Tunable   bool   `json:"tunable,omitempty"`
	Geometric bool   `json:"geometric,omitempty"` // the values grow by one factor
	Count     int    `json:"count"`               // of values
}

// maxPoints is the most points that one config may have.
const maxPoints = 100000

// AnyGPU returns the limits of compute capability 9.0 (CUDA C++ Programming Guide, technical
// specifications), to check a config on a machine that may have no GPU.
func AnyGPU() *gpu.Facts {
	return &gpu.Facts{
		Name:            "any GPU",
		ComputeMajor:    9,
		Multiprocessors: 132,
		WarpSize:        32,
		MaxThreadsPerSM: 2048,
		MaxBlocksPerSM:  32,
		MaxThreadsBlock: 1024,
		RegistersPerSM:  65536,
		RegistersBlock:  65536,
		SharedPerSM:     228 << 10,
		SharedPerBlock:  48 << 10,
		SharedOptIn:     227 << 10,
		SharedReserved:  1 << 10,
		L2Bytes:         50 << 20,
		GlobalBytes:     80 << 30,
		Cooperative:     true,
	}
}

// Make plans the config's points on each machine: versions times sweep times tunables. It first checks all values
// against the factory. The errors are *config.Errors if the config is at fault. When ctx ends, Make
// returns its error.
func Make(ctx context.Context, cfg *config.Config, f *framework.Factory, machines ...Machine) (*Plan, error) {
	var all *Plan
	for _, m := range machines {
		b := &builder{cfg: cfg, factory: f, machine: m, errs: &config.Errors{},
			refused: map[config.Position]*refusal{}, plan: &Plan{}}
		processor, err := b.processor()
		if err != nil {
			return nil, err
		}
		b.choose()
		b.parameters()
		b.tunables()
		if err := b.err(); err != nil {
			return nil, err
		}
		if err := b.keepRunnable(processor); err != nil {
			return nil, err
		}
		b.defaultsGPU = b.gpuDefaults()
		if !slices.ContainsFunc(b.run, func(v *framework.Version) bool { return v.Processor == framework.GPU }) {
			b.plan.Smaller = nil
		}
		if b.tooMany(); len(b.errs.List) > 0 {
			return nil, b.errs.Err()
		}
		b.points(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := b.err(); err != nil {
			return nil, err
		}
		for i := range b.plan.Points {
			b.plan.Points[i].ID = i
		}
		if all == nil {
			all = b.plan
		} else {
			all.Append(b.plan)
		}
	}
	return all, nil
}

// Names checks the config's versions, parameters and tunables against what is known of its
// algorithm, without points. Its errors are *config.Errors.
func Names(cfg *config.Config, f *framework.Factory) error {
	b := &builder{cfg: cfg, factory: f, errs: &config.Errors{}, refused: map[config.Position]*refusal{}, plan: &Plan{}}
	b.choose()
	b.parameters()
	b.tunables()
	return b.err()
}

// builder makes one plan.
type builder struct {
	cfg     *config.Config
	factory *framework.Factory
	machine Machine
	errs    *config.Errors
	refused map[config.Position]*refusal
	plan    *Plan

	chosen   []*framework.Version // as the config names them, on any processor
	misnamed bool                 // a name in the config is no version's
	run      []*framework.Version // the chosen versions that run here

	// Settings of the config after checking: names without dashes, values of the parameter's kind.
	static []config.Argument
	sweep  []config.Axis
	tuned  []config.Axis
	usage  []string // names among static and sweep that belong to the usage, not to the factory

	defaultsGPU framework.Values // of parameters
}

// refusal is what is wrong at one position, with the number of further faults there.
type refusal struct {
	msg  string
	more int
}

// refuse notes a fault of one value or combination. If one position has several faults, as a range
// may, the first is shown and the others are counted.
func (b *builder) refuse(pos config.Position, msg string) {
	switch r := b.refused[pos]; {
	case r == nil:
		b.refused[pos] = &refusal{msg: msg}
	case r.msg != msg:
		r.more++
	}
}

func (b *builder) err() error {
	for pos, r := range b.refused {
		if r.more > 0 {
			r.msg += fmt.Sprintf(" (and %d more here)", r.more)
		}
		b.errs.Add(b.cfg.Path, pos, "%s", r.msg)
	}
	clear(b.refused)
	return b.errs.Err()
}

// bare returns a parameter's name: a built-in's has no dashes, an executable's is as written.
func (b *builder) bare(name string) string {
	if b.cfg.Executable != "" {
		return name
	}
	return strings.TrimLeft(name, "-")
}

// noGPU reports whether GPU versions cannot run. An external program finds its GPU by itself.
func (b *builder) noGPU() bool { return b.machine.GPU == nil && !b.factory.External }

// processor returns the processor to run on: CPU, GPU, or empty for both. If no version needs a
// GPU, none was asked for, and keepRunnable says what is wrong.
func (b *builder) processor() (framework.Processor, error) {
	cfg, m := b.cfg, b.machine
	const want = "want CPU or auto, or a machine with a GPU"
	switch p := framework.Processor(m.Processor); p {
	case "", "auto":
	case framework.CPU:
		return p, nil
	case framework.GPU:
		if b.noGPU() && m.NoGPU != "" {
			return p, fmt.Errorf("%s: processor GPU is asked for, but there is no GPU: %s; %s", cfg.Path, m.NoGPU, want)
		}
		return p, nil
	default:
		return p, fmt.Errorf("%q is not a processor; want auto, CPU or GPU", p)
	}
	if cfg.Processor == framework.GPU && b.noGPU() && m.NoGPU != "" {
		b.errs.Add(cfg.Path, cfg.PositionOf("processor"), "there is no GPU: %s; %s", m.NoGPU, want)
		return "", b.errs.Err()
	}
	return cfg.Processor, nil
}

// choose selects the config's versions, or all.
func (b *builder) choose() {
	var names []string
	known, wanted := map[string]bool{}, map[string]bool{}
	for _, v := range b.factory.Versions {
		if !known[v.Name] {
			known[v.Name] = true
			names = append(names, v.Name)
		}
	}
	for i, name := range b.cfg.Versions {
		wanted[name] = true
		if !known[name] {
			b.misnamed = true
			b.errs.Add(b.cfg.Path, b.cfg.PositionOf(fmt.Sprintf("versions[%d]", i)), "%q is not a version of %s%s",
				name, b.factory.Name, config.Choice(name, names, "versions"))
		}
	}
	for i, v := range b.factory.Versions {
		// After a wrong name all are chosen, since it may have been the version whose tunables the
		// config sets.
		if len(b.cfg.Versions) == 0 || wanted[v.Name] || b.misnamed {
			b.chosen = append(b.chosen, &b.factory.Versions[i])
		}
	}
}

// keepRunnable keeps the chosen versions that the processor allows, and notes which ones it leaves
// out.
func (b *builder) keepRunnable(processor framework.Processor) error {
	left := map[framework.Processor][]string{}
	var foreign []string // kernels of another interface than the device's
	for _, v := range b.chosen {
		if processor != "" && v.Processor != processor || v.Processor == framework.GPU && b.noGPU() {
			left[v.Processor] = append(left[v.Processor], v.Name)
			continue
		}
		if opencl := strings.HasPrefix(b.machine.Device, "opencl:"); v.Processor == framework.GPU && !b.factory.External && !v.Takes(opencl) {
			foreign = append(foreign, v.Name)
			continue
		}
		b.run = append(b.run, v)
	}
	for p, names := range left {
		if b.machine.Processor != "" && b.machine.Processor != "auto" && string(p) != b.machine.Processor {
			b.plan.asked = append(b.plan.asked, leftOut(string(p), names, "processor is "+b.machine.Processor))
		}
	}
	if names := left[framework.GPU]; names != nil {
		why := "processor is CPU"
		if processor == "" {
			why = "no GPU: " + b.machine.NoGPU
			b.plan.shorter = map[string]string{leftOut("GPU", names, why): fmt.Sprintf("CPU only, without %s: %s (bench doctor)", strings.Join(names, ", "), brief(b.machine.NoGPU))}
		}
		b.leave("GPU", names, why)
	}
	if names := left[framework.CPU]; names != nil {
		b.leave("CPU", names, "processor is GPU")
	}
	if foreign != nil && (len(b.cfg.Versions) > 0 || len(b.run) == 0 || strings.HasPrefix(b.machine.Device, "opencl:")) { // else a user of CUDA is not told of kernels for OpenCL
		b.leave("GPU", foreign, b.otherInterface())
	}
	if len(b.run) > 0 {
		return nil
	}
	b.errs.Add(b.cfg.Path, b.first("versions", "processor", "algorithm", "executable"), "no version is left to run: %s", strings.Join(b.plan.LeftOut, "; "))
	return b.errs.Err()
}

// otherInterface says why kernels for another interface do not run on the device.
func (b *builder) otherInterface() string {
	switch device := cmp.Or(b.machine.Device, "cuda:0"); {
	case strings.HasPrefix(device, "opencl:"):
		return "kernels in CUDA C++ do not run on " + device + ", a device of OpenCL"
	case device == "sim":
		return "the simulator runs CUDA C++; OpenCL C is checked without a GPU by PoCL, a driver for CPUs (--device opencl:0)"
	default:
		return "kernels in OpenCL C run on a device of OpenCL (--device opencl:first), not on " + device
	}
}

// first returns the position of the first of these keys that the file has.
func (b *builder) first(keys ...string) config.Position {
	for _, k := range keys {
		if pos := b.cfg.PositionOf(k); pos.Line > 0 {
			return pos
		}
	}
	return config.Position{}
}

func (b *builder) leave(processor string, names []string, why string) {
	b.plan.LeftOut = append(b.plan.LeftOut, leftOut(processor, names, why))
}

func leftOut(processor string, names []string, why string) string {
	plural := ""
	if len(names) > 1 {
		plural = "s"
	}
	return fmt.Sprintf("%s version%s %s left out: %s", processor, plural, strings.Join(names, ", "), why)
}

// brief returns what the error of a missing GPU says first, without its causes and advice.
func brief(text string) string {
	text = strings.TrimPrefix(text, gpu.ErrNoDevice.Error()+": ")
	return strings.TrimSpace(text[:strings.IndexAny(text+";", "(;")])
}

// Remarks returns the lines to tell a user: versions left out, except as the command line asked,
// and smaller defaults.
func (p *Plan) Remarks() []string {
	told := slices.DeleteFunc(slices.Clone(p.LeftOut), func(line string) bool { return slices.Contains(p.asked, line) })
	for i, line := range told {
		told[i] = cmp.Or(p.shorter[line], line)
	}
	return append(told, p.Smaller...)
}
