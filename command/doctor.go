package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bench/cuda/nvrtc"
	"bench/cuda/sim"
	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/machine"
)

func (a *app) doctorCommand() *cobra.Command {
	var root string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what was found on this machine and, for what was not, why and how to get it",
		Long: `Doctor looks for everything that bench can use: GPU, driver, NVRTC, vendor
libraries, sensors, the simulator's compiler, and settings that disturb
measurements. What is missing is a line with its reason, not a failure. With --root
it prints what a copied tree of another board tells of that board, its sensors and
its power modes, and nothing of this machine.

EXIT STATUS
  0    looked for, whatever is missing
  2    bad usage`,
		Example: `  bench doctor
  bench doctor --root testdata/jetson-tx2    a board's copied /sys, /proc and /etc`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkRoot(root); err != nil {
				return err
			}
			a.doctor(cmd.Context(), root)
			return nil
		},
	}
	cmd.Flags().StringVar(&root, "root", "/", "directory that /sys, /proc and /etc hang off")
	return cmd
}

func (a *app) doctor(ctx context.Context, root string) {
	found := func(what, format string, args ...any) {
		fmt.Fprintf(a.out, "  ok       %-14s %s\n", what, fmt.Sprintf(format, args...))
	}
	missing := func(what string, err error) {
		fmt.Fprintf(a.out, "  missing  %-14s %s\n", what, strings.Join(strings.Fields(err.Error()), " "))
	}
	fmt.Fprintln(a.out, "Machine")
	for _, line := range machine.Tree(root).Lines() {
		if line[1] == "" {
			missing(line[0], fmt.Errorf("not told by %s", root))
			continue
		}
		found(line[0], "%s", line[1])
	}
	if filepath.Clean(root) != "/" {
		a.doctorBoard(root, framework.SensorEnv{Root: root}, found, missing)
		return
	}
	for _, w := range machine.Warnings() {
		fmt.Fprintf(a.out, "  warning  %-14s %s\n", "measuring", w)
	}

	fmt.Fprintln(a.out, "GPU")
	env := framework.SensorEnv{Root: root}
	if f, err := experiment.Device(ctx, "cuda:0"); err != nil {
		missing("GPU", err)
	} else {
		found("GPU", "%s, %s, %d multiprocessors, %.1f GiB, driver's CUDA %s", f.Name, f.Arch(), f.Multiprocessors,
			float64(f.GlobalBytes)/(1<<30), f.DriverVersion)
		env.GPU, env.PCI = f.UUID, f.PCIBusID
	}
	if c, err := nvrtc.Open(); err != nil {
		missing("NVRTC", err)
	} else {
		major, minor := c.Version()
		found("NVRTC", "CUDA %d.%d, compiles for sm_%s", major, minor, ints(c.Architectures()))
	}
	if d, err := sim.Open(1); err != nil {
		missing("simulator", err)
	} else {
		found("simulator", "runs GPU kernels through %s", d.Facts().CompilerVersion)
		d.Close()
	}

	fmt.Fprintln(a.out, "Libraries of peers")
	for _, n := range a.registry.Names() {
		for _, v := range a.registry.Algorithm(n).Versions {
			if v.Available == nil {
				continue
			}
			if err := v.Available(); err != nil {
				missing(n+" "+v.Name, err)
			} else {
				found(n+" "+v.Name, "%s", v.Doc)
			}
		}
	}

	a.doctorBoard(root, env, found, missing)

	fmt.Fprintln(a.out, "Folders")
	if dir, err := os.UserCacheDir(); err != nil {
		missing("cache", fmt.Errorf("%w: compiled kernels are not kept; set HOME or XDG_CACHE_HOME", err))
	} else {
		found("cache", "%s/bench: compiled kernels, for 30 days after their last use", dir)
	}
}

// doctorBoard is what the files of a board tell, also copied ones.
func (a *app) doctorBoard(root string, env framework.SensorEnv, found func(what, format string, args ...any), missing func(what string, err error)) {
	fmt.Fprintln(a.out, "Sensors")
	for _, f := range a.registry.Sensors() {
		s, err := openSensor(f, env, framework.SensorEnv{Root: root})
		if err != nil {
			missing(f.Name, err)
			continue
		}
		var rails []string
		for _, c := range s.Channels() {
			rails = append(rails, c.Name)
		}
		found(f.Name, "%s", strings.Join(rails, ", "))
		for _, note := range s.Notes() {
			fmt.Fprintf(a.out, "           %-14s %s\n", "", note)
		}
		s.Close()
	}

	fmt.Fprintln(a.out, "Power modes")
	c, close, err := openModes(root, env.GPU, env.PCI)
	if err != nil {
		missing("modes", err)
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
	found(c.Name(), "%s", strings.Join(names, ", "))
	if now, err := c.Current(); err != nil {
		missing("mode now", err)
	} else {
		found("mode now", "%s", now.ID)
	}
}

func ints(list []int) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, " ")
}
