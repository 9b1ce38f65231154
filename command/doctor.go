package command

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/command/inspect"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

func (a *app) doctorCommand() *cobra.Command {
	var f choices
	var bundle string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what was found on this machine; for what is missing, why and how to get it",
		Long: `Doctor looks for everything that bench can use: GPU, driver, NVRTC, vendor
libraries, sensors, the simulator's compiler, and settings that disturb
measurements. What is missing is a line with its reason, not a failure. With --root
it describes the board of a copied tree, its sensors and its power modes, and not
this machine.

With --bundle FILE it writes an archive (.tar.gz) to send in when something is wrong
with a board: copies of the files that bench reads there, what doctor found, and
versions. It lists every file first. Host name, addresses, serial numbers and names of
users are not among them. Unpacked, it is a folder for --root.

EXIT STATUS
  0    looked for, whatever is missing
  1    the output or the bundle cannot be written
  2    bad usage, or the bundle's file is there already`,
		Example: `  bench doctor
  bench doctor --root testdata/jetson-tx2    a board's copied /sys, /proc and /etc
  bench doctor --bundle board.tar.gz         what to send in`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if err := machine.CheckSys(f.Root); err != nil {
				a.warn("--root: %v", err)
			}
			e := inspect.Examine(cmd.Context(), a.registry, f.Root)
			if bundle != "" {
				return a.bundle(e, f.Root, bundle)
			}
			if f.json {
				return a.printJSON(e)
			}
			_, err := io.WriteString(a.out, e.Text(terminal.PaletteOf(a.out)))
			return err
		},
	}
	f.flag(cmd, "root", "json")
	cmd.Flags().StringVar(&bundle, "bundle", "", "write copies of this board's files and what was found to this .tar.gz, after listing them")
	grammar.Excludes(cmd, "bundle", "json")
	return cmd
}

// bundle lists the files below root and writes them to an archive.
func (a *app) bundle(e *inspect.Examination, root, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return usageError(fmt.Errorf("%s is there already; want the name of a new file", file))
	}
	b, err := e.Bundle(root, record.ThisTool().Line())
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.out, "%s, for %s\n", b.Text(), file); err != nil {
		return err
	}
	return safefile.Write(file, b)
}
