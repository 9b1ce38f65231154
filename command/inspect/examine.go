package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/judge"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/neighbours"
	"example.org/bench/framework/powermode"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/jetson"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/opencl"
	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/terminal"
)

// The states of a finding.
const (
	OK      = "ok"
	Missing = "missing"
	Warning = "warning"
	Note    = "note"     // on the finding before
	NotHere = "not here" // this machine never has it
)

// The sections that Summary reads, the section about the user's folders, and findings about power modes.
const (
	sensorsSection = "Sensors"
	modesSection   = "Power modes"
	folders        = "Folders"
	modeNow        = "mode now"
	clockOf        = "clock " // and its name
)

// Examination is what a machine has for measurements and what is missing, in JSON too.
type Examination struct {
	Findings []Finding `json:"findings"` // in the order of the text
	section  string
}

// Finding is a line of a section.
type Finding struct {
	Section string `json:"section"`        // heading
	State   string `json:"state"`          // "ok", "missing", "not here" of what such a machine never has, "warning", or "note" of the finding before
	What    string `json:"what,omitempty"` // what was looked for
	Text    string `json:"text"`           // what was found, or why it is missing and how to get it
}

func (e *Examination) add(state, what, text string) {
	e.Findings = append(e.Findings, Finding{e.section, state, what, text})
}

func (e *Examination) found(what, format string, args ...any) {
	e.add(OK, what, fmt.Sprintf(format, args...))
}

func (e *Examination) missing(what string, err error) {
	state := Missing
	if none := framework.NotHere(""); errors.As(err, &none) {
		state = NotHere
	}
	e.add(state, what, strings.Join(strings.Fields(err.Error()), " "))
}

// Examine looks for everything that a program with these algorithms and sensors can use. Below a root
// other than / it looks only for what a board's copied files show.
func Examine(ctx context.Context, registry *framework.Registry, root string) *Examination {
	e := &Examination{}
	e.machine(root)
	env := framework.SensorEnv{Root: root}
	if filepath.Clean(root) != "/" {
		e.board(registry, root, env)
		return e
	}
	for _, w := range machine.Warnings() {
		e.add(Warning, "measuring", w)
	}
	if f := e.compute(ctx); f != nil {
		env.GPU, env.PCI = f.UUID, f.PCIBusID
	}
	e.peers(registry)
	e.board(registry, root, env)
	e.section = folders
	if dir, err := diskcache.Folder("kernels"); err != nil {
		e.missing("cache", err)
	} else {
		e.found("cache", "%s: compiled kernels, for 30 days after their last use", filepath.Dir(dir))
	}
	return e
}

func (e *Examination) machine(root string) {
	e.section = "Machine"
	for _, line := range machine.Tree(root).Lines() {
		if line[1] == "" {
			e.missing(line[0], fmt.Errorf("not told by %s", root))
			continue
		}
		e.found(line[0], "%s", line[1])
	}
	if packages := jetson.Packages(root); packages != "" {
		e.found("packages", "%s", packages)
	}
}

// compute looks for the GPU, whose facts it returns, and for its compilers.
func (e *Examination) compute(ctx context.Context) *gpu.Facts {
	e.section = "GPU"
	f, err := experiment.Device(ctx, "cuda:0")
	if err != nil {
		e.missing("GPU", err)
	} else {
		e.found("GPU", "%s, %s, %s, %.1f GiB, driver's CUDA %s", f.Name, f.Arch(), terminal.Count(f.Multiprocessors, "multiprocessor"),
			float64(f.GlobalBytes)/(1<<30), f.DriverVersion)
		watch := neighbours.Open(machine.Live, f.UUID, f.PCIBusID, 0, os.Getpid())
		e.sharing(watch.Sharing())
		watch.Close() //nolint:errcheck // nothing is lost
	}
	e.opencl(ctx)
	if c, err := nvrtc.Open(); err != nil {
		e.missing("NVRTC", err)
	} else {
		major, minor := c.Version()
		e.found("NVRTC", "CUDA %d.%d, compiles for sm_%s", major, minor, strings.Trim(fmt.Sprint(c.Architectures()), "[]"))
	}
	if d, err := sim.Open(1); err != nil {
		e.missing("simulator", err)
	} else {
		e.found("simulator", "runs GPU kernels through %s", d.Facts().CompilerVersion)
		d.Close()
	}
	if p := judge.Protections(); len(p.Missing()) > 0 {
		e.missing("sandbox", fmt.Errorf("of candidates (bench judge) within reach: %s", strings.Join(p.Missing(), "; ")))
	} else {
		e.found("sandbox", "Landlock %d and seccomp confine candidates (bench judge)", p.Landlock)
	}
	return f
}

// opencl reports the devices that OpenCL shows, and what can be timed on each.
func (e *Examination) opencl(ctx context.Context) {
	list, err := experiment.OpenCLDevices(ctx)
	if err != nil {
		e.missing("OpenCL", err)
		return
	}
	for i, d := range list {
		id, f := opencl.ID(i), d.Facts
		if f.OpenCL.Fault != "" {
			e.missing(id, fmt.Errorf("%s, %s does not tell what it is: %s", f.Name, f.OpenCL.Platform, f.OpenCL.Fault))
			continue
		}
		e.found(id, "%s (%s), %s %s, %s, %s, %.1f GiB", f.Name, f.OpenCL.Type, f.OpenCL.Platform, f.DriverVersion, f.CompilerVersion,
			terminal.Count(f.Multiprocessors, "compute unit"), float64(f.GlobalBytes)/(1<<30))
		if !f.Doubles() {
			e.add(Note, id, "it has no double precision (cl_khr_fp64): points of it are left out")
		}
		if d.Err != nil {
			e.add(Warning, id, "nothing can be timed: "+d.Err.Error())
		} else {
			e.add(Note, id, "times are by "+d.Timing)
		}
	}
}

// sharing reports who else uses the GPU.
func (e *Examination) sharing(s neighbours.Sharing) {
	const what = "shared with"
	for _, w := range s.Words() {
		e.add(Warning, what, w)
	}
	switch {
	case s.Unknown != "":
		e.missing(what, errors.New(s.Unknown))
	case len(s.Processes) == 0:
		e.found(what, "no other process is listed")
	}
}

// peers looks for the libraries that versions need.
func (e *Examination) peers(registry *framework.Registry) {
	e.section = "Libraries of peers"
	for _, n := range registry.Names() {
		for _, v := range registry.Algorithm(n).Versions {
			if v.Available == nil {
				continue
			}
			if err := v.Available(); err != nil {
				e.missing(n+" "+v.Name, err)
			} else {
				e.found(n+" "+v.Name, "%s", v.Doc)
			}
		}
	}
}

// board looks for what the files of a board, even copied ones, show: its sensors and power modes.
func (e *Examination) board(registry *framework.Registry, root string, env framework.SensorEnv) {
	e.section = sensorsSection
	for _, f := range registry.Sensors() {
		s, err := openSensor(f, env, framework.SensorEnv{Root: root, HasTotal: env.HasTotal})
		if err != nil {
			e.missing(f.Name, err)
			continue
		}
		env.HasTotal = env.HasTotal || framework.HasTotal(s)
		var rails []string
		for _, c := range s.Channels() {
			rails = append(rails, c.Name)
		}
		e.found(f.Name, "%s", strings.Join(rails, ", "))
		for _, note := range s.Notes() {
			e.add(Note, "", note)
		}
		s.Close()
	}

	e.section = modesSection
	c, close, err := powermode.Open(root, env.GPU, env.PCI)
	if err != nil {
		e.missing("modes", err)
		e.clocks(machine.Tree(root))
		return
	}
	defer close()
	name := func(m powermode.Mode) string {
		if m.Name == m.ID {
			return m.ID
		}
		return m.ID + " " + m.Name
	}
	var names []string
	for _, m := range c.Modes() {
		names = append(names, name(m))
	}
	e.found(c.Name(), "%s", strings.Join(names, ", "))
	if now, err := c.Current(); err != nil {
		e.missing(modeNow, err)
	} else {
		e.found(modeNow, "%s", name(now))
		if doubt := powermode.Doubt(c, now); doubt != nil {
			e.add(Warning, modeNow, doubt.Error())
		}
	}
}

// clocks reports the clocks of a board whose modes are not known. For other machines the governors
// suffice.
func (e *Examination) clocks(files machine.Tree) {
	if files.IsLive() && !files.Jetson() {
		return
	}
	available := files.Frequencies()
	for _, c := range files.Clocks() {
		text := fmt.Sprintf("%s now, %s to %s", terminal.Megahertz(c.Current), terminal.Megahertz(c.Min), terminal.Megahertz(c.Max))
		if table := available[c.Name]; len(table) > 0 {
			text += fmt.Sprintf(", %d frequencies from %s to %s", len(table), terminal.Megahertz(table[0]), terminal.Megahertz(table[len(table)-1]))
		}
		e.found(clockOf+c.Name, "%s", text)
	}
}
