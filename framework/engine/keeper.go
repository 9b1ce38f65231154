package engine

import (
	"errors"
	"fmt"
	"net/rpc"
	"os"
	"path/filepath"

	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
)

// judging is implemented by what a factory's Keep made, if it reports on the answers that it was
// shown.
type judging interface {
	Judged() (answers int, wrong string)
}

// Names of the services of a keeper.
const (
	aboutProblems  = "Problem"
	aboutSimulator = "Simulator"
	aboutThreads   = "Threads"
)

// keep makes this worker the keeper of another process from now on.
func (w *worker) keep(req request, _ *reply) (err error) {
	defer func() { err = onOneLine(err) }()
	if err := w.plugin(); err != nil {
		return err
	}
	if w.factory.Keep == nil {
		return fmt.Errorf("%s has nothing to keep", w.factory.Name)
	}
	env := w.env(&record.Result{})
	if req.Device == "sim" {
		d, err := w.open(req.Device)
		if err != nil {
			return err
		}
		env.Device = d
	}
	kept := w.factory.Keep(env)
	w.judging, _ = kept.(judging)
	folder, err := safefile.TempFolder("bench-sim-")
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := errors.Join(server.RegisterName(aboutProblems, kept), server.RegisterName(aboutSimulator, &Simulator{folder, w.setup.Apart}),
		server.RegisterName(aboutThreads, &Threads{req.Process})); err != nil {
		return err
	}
	go server.ServeConn(keeperTalk())
	return nil
}

// kept returns the keeper's report.
func (w *worker) kept(_ request, rep *reply) error {
	if w.judging != nil {
		rep.Kept = &Kept{}
		rep.Kept.Answers, rep.Kept.Wrong = w.judging.Judged()
	}
	return nil
}

// Simulator compiles kernels for a confined worker.
type Simulator struct{ folder, candidate string }

// Toolchain returns the compilers.
func (s *Simulator) Toolchain(_ bool, t *sim.Toolchain) (err error) {
	*t, err = sim.FindToolchain(s.folder)
	return err
}

// Unit is a source to be compiled.
type Unit struct {
	Source gpu.Source
	Arch   int
	Checks bool
}

// Compiled is the result of compiling a Unit.
type Compiled struct {
	Library, Log string
	Failure      *hostcompiler.Failure
}

// Compile compiles a unit in a confinement, since its text is whatever the worker sends.
func (s *Simulator) Compile(u Unit, c *Compiled) error {
	library, log, err := sim.CompileInto(s.folder, filepath.Join(s.candidate, "unit"), u.Source, u.Arch, u.Checks)
	*c = Compiled{library, log, hostcompiler.FailureOf(err)}
	return nil
}

// Threads places the threads of a confined worker, which may not tell the kernel of a thread.
type Threads struct{ process int }

// Placing is a thread and the CPUs that it is to run on.
type Placing struct {
	Thread int
	CPUs   linux.CPUSet
}

// Place refuses threads of other processes.
func (t *Threads) Place(p Placing, done *bool) error {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", t.process, p.Thread)); err != nil {
		return fmt.Errorf("thread %d is none of process %d", p.Thread, t.process)
	}
	err := linux.SchedSetaffinity(p.Thread, &p.CPUs)
	*done = err == nil
	return err
}

// confined is a worker's keeper as seen by the worker.
type confined struct{ *rpc.Client }

// isolate makes this worker unable to start anything or reach anything but its keeper.
func (w *worker) isolate() error {
	if err := linux.Isolate(); err != nil {
		return err
	}
	w.keeper = &confined{rpc.NewClient(workerTalk())}
	sim.CompileBy(w.keeper)
	measure.PlaceBy(w.keeper.place)
	return nil
}

// place has the keeper place a thread of this process.
func (c *confined) place(thread int, set *linux.CPUSet) error {
	var done bool
	return c.ask(aboutThreads, "Place", Placing{thread, *set}, &done)
}

// Call implements framework.Keeper.
func (c *confined) Call(method string, question, answer any) error {
	return c.ask(aboutProblems, method, question, answer)
}

func (c *confined) ask(about, method string, question, answer any) error {
	err := c.Client.Call(about+"."+method, question, answer)
	if said := rpc.ServerError(""); err != nil && !errors.As(err, &said) {
		return fmt.Errorf("the process that has the right answers: %w", err)
	}
	return err
}

// Toolchain implements sim.Compiler.
func (c *confined) Toolchain() (t sim.Toolchain, err error) {
	err = c.ask(aboutSimulator, "Toolchain", false, &t)
	return t, err
}

// Compile implements sim.Compiler.
func (c *confined) Compile(src gpu.Source, arch int, checks bool) (library, log string, err error) {
	var made Compiled
	if err := c.ask(aboutSimulator, "Compile", Unit{src, arch, checks}, &made); err != nil {
		return "", "", err
	}
	return made.Library, made.Log, made.Failure.Err()
}
