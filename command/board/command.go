package board

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/command/trees"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// Measuring is how the runs are measured.
type Measuring struct {
	Device, Root string
	Modes        string // of --power-modes; empty: the present one
	Resume       bool
}

// Program is what a program gives to the verb.
type Program struct {
	Registry *framework.Registry
	Out, Err io.Writer
	// Run measures a config into a folder, as bench run does, without plots. An error without words means that a point was
	// not good.
	Run     func(ctx context.Context, config, folder string, m Measuring) error
	Refuse  func(error) error // makes an error a usage error
	Fail    func(error) error // makes an error a failure, or an interrupt's
	Devices grammar.Devices   // those that Run measures on
}

type flags struct {
	Measuring
	out  string
	only []string
	yes  bool
	json bool
}

// Command returns the verb.
func (p Program) Command() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "board [FILE.zip]",
		Short: "Measure this machine in ten minutes into one file to send; check and show such a file",
		Long: `Board measures the six algorithms at two sizes each, on CPU and GPU, and writes DIR.zip
and DIR.html: all that was measured, with samples, power readings, copies of the files
that bench reads of the machine and what doctor found, in one file; and a page of it.
It lists what the file holds before it writes it. Host and user names, serial numbers,
UUIDs and addresses are not in it. Send the .zip, with a fault's description too.

It measures in the present power mode, for at most ten minutes. As root, with --yes or
asked on a terminal, it measures in every mode, each for at most ten minutes, and
restores the present one. Every finished point is on disk at once, in DIR: after an
interrupt, --resume measures what is missing.

With FILE.zip it measures nothing: it checks such a file and shows what it is of. A file
that is damaged, changed, put together of several or of something else is refused with
what does not fit. With --out it also unpacks it, for compare, report and export, and
for --root.

EXIT STATUS
  0    measured and written; FILE.zip: all of it fits
  1    written, but a point failed, was wrong or timed out; or it cannot be written
  2    bad usage, or FILE.zip does not fit
  130  interrupted; what was measured is kept`,
		Example: `  bench board
  sudo bench board --yes               in every power mode
  bench board board.zip                check and show a file
  bench board board.zip --out tx2      and unpack it, for bench report tx2/runs/fft`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return p.show(args[0], f.out, f.json)
			}
			if f.json {
				return p.Refuse(errors.New("--json goes with FILE.zip, which is missing"))
			}
			if err := p.check(&f); err != nil {
				return p.Refuse(err)
			}
			return p.measure(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "folder for the runs, after which file and page are named (default results/board); with FILE.zip: the folder to unpack it to")
	flags.StringSliceVar(&f.only, "only", nil, "algorithms to measure, with commas (default all six)")
	flags.BoolVarP(&f.yes, "yes", "y", false, "measure in every power mode, without asking")
	flags.BoolVar(&f.Resume, "resume", false, "continue after an interrupt")
	flags.StringVar(&f.Device, "device", "", p.Devices.Usage())
	flags.BoolVar(&f.json, "json", false, "with FILE.zip: print JSON")
	flags.StringVar(&f.Root, "root", "/", trees.Usage+", for trying")
	return cmd
}

// check refuses flags that name nothing that exists, and opens the root.
func (p Program) check(f *flags) error {
	for _, name := range f.only {
		if !slices.Contains(Algorithms(), name) {
			return errors.New("--only " + config.NoneOf(name, Algorithms()))
		}
	}
	if f.Device != "" {
		if err := p.Devices.Check(f.Device); err != nil {
			return err
		}
	}
	folder, err := trees.Open(f.Root)
	if err != nil {
		return fmt.Errorf("--root: %w", err)
	}
	f.Root = folder
	if runtime.GOOS != "linux" {
		return fmt.Errorf("bench board measures on Linux (amd64 or arm64), and this is %s; with a FILE.zip it shows one anywhere", runtime.GOOS)
	}
	for _, name := range []string{f.folder() + zipEnding, f.folder() + pageEnding} {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s is there already; want another folder, --out", name)
		}
	}
	return nil
}

// The endings of the two files.
const (
	zipEnding  = ".zip"
	pageEnding = ".html"
)

// folder returns the folder of the runs.
func (f flags) folder() string {
	if f.out == "" {
		return "results/board"
	}
	return strings.TrimRight(f.out, "/")
}

func (p Program) note(format string, args ...any) { fmt.Fprintf(p.Err, format+"\n", args...) }
