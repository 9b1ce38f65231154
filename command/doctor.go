package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bench/cuda/diskcache"
	"bench/cuda/nvrtc"
	"bench/cuda/sim"
	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/machine"
	"bench/powermode"
)

func (a *app) doctorCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what was found on this machine; for what is missing, why and how to get it",
		Long: `Doctor looks for everything that bench can use: GPU, driver, NVRTC, vendor
libraries, sensors, the simulator's compiler, and settings that disturb
measurements. What is missing is a line with its reason, not a failure. With --root
it describes the board of a copied tree, its sensors and its power modes, and not
this machine.

EXIT STATUS
  0    looked for, whatever is missing
  2    bad usage`,
		Example: `  bench doctor
  bench doctor --root testdata/jetson-tx2    a board's copied /sys, /proc and /etc`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			var e examination
			a.examine(cmd.Context(), f.root, &e)
			if f.json {
				return a.printJSON(e)
			}
			_, err := io.WriteString(a.out, e.text(paletteOf(a.out)))
			return err
		},
	}
	f.flag(cmd, "root", "json")
	return cmd
}

// examination is what bench doctor says, in JSON too.
type examination struct {
	Findings []finding `json:"findings"`
	section  string
}

// finding is a line; State is ok, missing, warning, or note of the line before.
type finding struct {
	Section string `json:"section"`
	State   string `json:"state"`
	What    string `json:"what,omitempty"`
	Text    string `json:"text"`
}

func (e *examination) add(state, what, text string) {
	e.Findings = append(e.Findings, finding{e.section, state, what, text})
}

func (e *examination) found(what, format string, args ...any) {
	e.add("ok", what, fmt.Sprintf(format, args...))
}

func (e *examination) missing(what string, err error) {
	e.add("missing", what, strings.Join(strings.Fields(err.Error()), " "))
}

// text is a line a finding under its section's name; a reason that several have
// stands below them.
func (e *examination) text(colours palette) string {
	var b strings.Builder
	var why footnotes
	had := map[string]int{}
	for _, f := range e.Findings {
		had[f.Text]++
	}
	section := ""
	for _, f := range e.Findings {
		if f.Section != section {
			section = f.Section
			fmt.Fprintln(&b, section)
		}
		state, text := f.State, f.Text
		if state == "note" {
			state = ""
		}
		if had[text] > 1 {
			text = strings.TrimPrefix(strings.TrimPrefix(why.mark(text), ":"), " ")
		}
		state = fmt.Sprintf("%-8s", state)
		if f.State == "missing" || f.State == "warning" {
			state = colours.paint(yellow, state)
		}
		fmt.Fprintf(&b, "  %s %-14s %s\n", state, f.What, text)
	}
	return b.String() + why.text()
}

func (a *app) examine(ctx context.Context, root string, e *examination) {
	e.section = "Machine"
	for _, line := range machine.Tree(root).Lines() {
		if line[1] == "" {
			e.missing(line[0], fmt.Errorf("not told by %s", root))
			continue
		}
		e.found(line[0], "%s", line[1])
	}
	if filepath.Clean(root) != "/" {
		a.examineBoard(root, framework.SensorEnv{Root: root}, e)
		return
	}
	for _, w := range machine.Warnings() {
		e.add("warning", "measuring", w)
	}

	e.section = "GPU"
	env := framework.SensorEnv{Root: root}
	if f, err := experiment.Device(ctx, "cuda:0"); err != nil {
		e.missing("GPU", err)
	} else {
		e.found("GPU", "%s, %s, %d multiprocessors, %.1f GiB, driver's CUDA %s", f.Name, f.Arch(), f.Multiprocessors,
			float64(f.GlobalBytes)/(1<<30), f.DriverVersion)
		env.GPU, env.PCI = f.UUID, f.PCIBusID
	}
	if c, err := nvrtc.Open(); err != nil {
		e.missing("NVRTC", err)
	} else {
		major, minor := c.Version()
		e.found("NVRTC", "CUDA %d.%d, compiles for sm_%s", major, minor, ints(c.Architectures()))
	}
	if d, err := sim.Open(1); err != nil {
		e.missing("simulator", err)
	} else {
		e.found("simulator", "runs GPU kernels through %s", d.Facts().CompilerVersion)
		d.Close()
	}

	e.section = "Libraries of peers"
	for _, n := range a.registry.Names() {
		for _, v := range a.registry.Algorithm(n).Versions {
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

	a.examineBoard(root, env, e)

	e.section = "Folders"
	if dir, err := diskcache.Folder("kernels"); err != nil {
		e.missing("cache", err)
	} else {
		e.found("cache", "%s: compiled kernels, for 30 days after their last use", filepath.Dir(dir))
	}
}

// examineBoard is what the files of a board tell, also copied ones.
func (a *app) examineBoard(root string, env framework.SensorEnv, e *examination) {
	e.section = "Sensors"
	for _, f := range a.registry.Sensors() {
		s, err := openSensor(f, env, framework.SensorEnv{Root: root})
		if err != nil {
			e.missing(f.Name, err)
			continue
		}
		var rails []string
		for _, c := range s.Channels() {
			rails = append(rails, c.Name)
		}
		e.found(f.Name, "%s", strings.Join(rails, ", "))
		for _, note := range s.Notes() {
			e.add("note", "", note)
		}
		s.Close()
	}

	e.section = "Power modes"
	c, close, err := powermode.Open(root, env.GPU, env.PCI)
	if err != nil {
		e.missing("modes", err)
		return
	}
	defer close()
	var names []string
	for _, m := range c.Modes() {
		name := m.ID
		if m.Name != m.ID {
			name += " " + m.Name
		}
		names = append(names, name)
	}
	e.found(c.Name(), "%s", strings.Join(names, ", "))
	if now, err := c.Current(); err != nil {
		e.missing("mode now", err)
	} else {
		e.found("mode now", "%s", now.ID)
	}
}

func ints(list []int) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, " ")
}
