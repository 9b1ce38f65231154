package experiment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/workers"
)

// member is one of several GPUs.
type member struct {
	id    string
	facts gpu.Facts
	cpus  machine.CPUs // of its worker
}

// assemble finds the GPUs that the device names. Several make a crew, whose engines have CPUs of their own.
// One counts as if it alone were named.
func (x *Experiment) assemble(ctx context.Context) error {
	opt := &x.options
	wanted, err := engine.ParseDevices(opt.Device)
	if err != nil {
		return err
	}
	if !x.hasGPUVersion() || opt.Processor == string(framework.CPU) || x.Config.Processor == framework.CPU {
		return fmt.Errorf("--device %s: %s has no GPU version to run on several GPUs", opt.Device, x.Config.Path)
	}
	all, err := machineGPUs(ctx, x.EngineOptions(x.Config), opt.Device)
	if errors.Is(err, engine.ErrInterrupted) {
		return err
	}
	if err != nil {
		return &NoDevice{opt.Device, err}
	}
	if wanted == nil {
		for i := range all {
			wanted = append(wanted, i)
		}
	}
	for _, i := range wanted {
		if i >= len(all) {
			return &NoDevice{opt.Device, fmt.Errorf("there is no %s: the last of the %d here is %s", engine.DeviceName(opt.Device, i), len(all), engine.DeviceName(opt.Device, len(all)-1))}
		}
		x.gpus = append(x.gpus, member{id: engine.DeviceName(opt.Device, i), facts: all[i]})
	}
	opt.Device, opt.Must = engine.DeviceName(opt.Device, wanted...), true
	if len(x.gpus) == 1 {
		x.gpus = nil
		return nil
	}
	if why := x.apart(); why != "" {
		return fmt.Errorf("--device %s: %s", opt.Device, why)
	}
	opt.Processor = string(framework.GPU)
	x.Facts = &x.gpus[0].facts
	if !x.inTurn() {
		x.pin()
	}
	for _, g := range x.gpus {
		x.Crew = append(x.Crew, engine.New(x.engineOf(g)))
	}
	// All at the same time: a GPU takes seconds to open.
	err = workers.Together(ctx, len(x.Crew), func(ctx context.Context, i int) error {
		if _, err := x.Crew[i].Device(ctx, x.gpus[i].id); errors.Is(err, engine.ErrInterrupted) {
			return err
		} else if err != nil {
			return &NoDevice{x.gpus[i].id, err}
		}
		return nil
	})
	if err != nil {
		x.Crew.Close()
	}
	return err
}

// machineGPUs returns the facts of the machine's GPUs, or of its devices of OpenCL if the device is one. Its
// worker ends before others start, since these have CPUs of their own.
func machineGPUs(ctx context.Context, opt engine.Options, device string) ([]gpu.Facts, error) {
	e := engine.New(opt)
	defer e.Close()
	if engine.OpenCL(device) {
		return e.OpenCLDevices(ctx)
	}
	return e.GPUs(ctx)
}

// inTurn reports whether the devices are measured one after the other. Two devices of OpenCL may be the CPU,
// share memory and power with it, or be one GPU by two drivers.
func (x *Experiment) inTurn() bool { return x.options.Each && engine.OpenCL(x.options.Device) }

// apart says why the GPUs cannot be measured at the same time; empty if they can.
func (x *Experiment) apart() string {
	first := x.gpus[0]
	switch {
	case x.Factory.External:
		return "a program chooses its GPU itself: give it one --device at a time"
	case x.inTurn():
		return ""
	case x.Config.External != nil:
		return "the sensor external would count the power of all together: give one --device at a time"
	}
	instead := "give one --device at a time"
	if engine.OpenCL(first.id) {
		instead += ", or --each, which measures one after the other"
	}
	for i, g := range x.gpus {
		if g.facts.Integrated {
			return fmt.Sprintf("%s shares memory and power with the CPU, and so with what measures the others: %s", g.id, instead)
		}
		if i > 0 && g.facts.PCIBusID != "" && g.facts.PCIBusID == first.facts.PCIBusID {
			return fmt.Sprintf("%s and %s are one GPU by two drivers: %s", first.id, g.id, instead)
		}
		if !x.options.Each && model(g.facts) != model(first.facts) {
			return fmt.Sprintf("%s is %s, %s is %s: only GPUs of one model share points; --each runs every point on each", first.id, model(first.facts), g.id, model(g.facts))
		}
	}
	return ""
}

// model describes what equal GPUs have in common.
func model(f gpu.Facts) string {
	return fmt.Sprintf("%s (%s, %s, %.0f GiB)", f.Name, f.Arch(), terminal.Count(f.Multiprocessors, "multiprocessor"), float64(f.GlobalBytes)/(1<<30))
}

// likeFirst reports whether a device runs the code of the first GPU.
func (x *Experiment) likeFirst(device string) bool {
	for _, g := range x.gpus {
		if g.id == device {
			return model(g.facts) == model(x.gpus[0].facts)
		}
	}
	return true
}

// pin gives each GPU's worker CPUs of its own near the GPU.
func (x *Experiment) pin() {
	var bus []string
	for _, g := range x.gpus {
		bus = append(bus, strings.ToLower(g.facts.PCIBusID))
	}
	for i, cpus := range machine.Live.Apart(machine.AllowedCPUs(), bus) {
		x.gpus[i].cpus = cpus
	}
}

// engineOf returns the options of the engine of one of several GPUs.
func (x *Experiment) engineOf(g member) engine.Options {
	opt := x.EngineOptions(x.Config)
	opt.Device, opt.CPUs, opt.Sharers, opt.InTurn = g.id, g.cpus, len(x.gpus), x.inTurn()
	if len(g.cpus) > 0 {
		opt.Workers = len(g.cpus)
	}
	return opt
}

// CrewFor returns a crew for another config on the experiment's devices.
func (x *Experiment) CrewFor(c *config.Config) (crew engine.Crew) {
	for _, g := range x.gpus {
		opt := x.engineOf(g)
		opt.Config = c
		crew = append(crew, engine.New(opt))
	}
	if crew == nil {
		crew = engine.Crew{engine.New(x.EngineOptions(c))}
	}
	return crew
}

// Device returns the device of the plan; if all GPUs are named, it has their numbers.
func (x *Experiment) Device() string { return x.options.Device }

// Devices returns the devices that run the points, with their facts.
func (x *Experiment) Devices() (list []record.Device) {
	for _, g := range x.gpus {
		list = append(list, record.Device{ID: g.id, Facts: &g.facts})
	}
	if list == nil {
		list = []record.Device{{ID: x.options.Device, Facts: x.Facts}}
	}
	return list
}

// machines returns what the config is planned for: this machine, whose GPUs, if there are several, share the points or,
// with Options.Each, one GPU of it after the other, with the tunables known for it.
func (x *Experiment) machines() (list []plan.Machine, err error) {
	m := x.machine
	switch {
	case x.gpus == nil:
		return []plan.Machine{m}, nil
	case !x.options.Each:
		m.Shared = x.options.Device
		return []plan.Machine{m}, nil
	}
	for _, g := range x.gpus {
		m.Device, m.GPU = g.id, &g.facts
		if x.options.Wisdom != nil {
			if m.Tuned, err = x.options.Wisdom(x.Factory, m.GPU); err != nil {
				return nil, err
			}
		}
		list = append(list, m)
	}
	return list, nil
}
