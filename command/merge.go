package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/command/figures"
	"example.org/bench/command/grammar"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
)

type mergeFlags struct {
	out      string
	mixTools bool
	noPlots  bool
	medium   plots.Medium
}

const noPlotsMeaning = "draw no plots: of very many points they take long"

func (a *app) mergeCommand() *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:   "merge RUN... --out DIR",
		Short: "Join runs of one config on several devices, or of several --set, into one",
		Long: `Merge joins results folders, of whole runs and of interrupted ones, into one: CSVs,
samples, run.json, plots and a journal. The result is the same, bit by bit, whatever
the order of the folders. Runs of one config with different --set are one sweep.

Every device has a name of its own, MACHINE:DEVICE. A machine is called as bench run
--name said, or after its folder; NAME=DIR gives another name. Folders of one name are
of one machine. A discrete GPU is known by its UUID, wherever it turns up.

Of several results of a device for the same point one is kept, a good one rather than
another, a later one rather than an earlier; how many are left out is said, and a
warning in run.json. Another config is an error, and so are other algorithms
or another measuring method, unless --mix-tools is given.

EXIT STATUS
  0    merged
  1    the merged run, or its plots, could not be written
  2    bad usage, or runs that do not belong together
  130  interrupted`,
		Example: `  bench merge results/orin1 results/orin2 --out results/orins
  bench merge tx2=results/fft-a tx2=results/fft-b --out results/tx2
  bench compare results/orins --by device`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(args, f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "folder for the merged run")
	flags.BoolVar(&f.mixTools, "mix-tools", false, "merge what different builds measured all the same")
	flags.BoolVar(&f.noPlots, "no-plots", false, noPlotsMeaning)
	mediumFlag(cmd, &f.medium)
	grammar.Excludes(cmd, "no-plots", "for")
	return cmd
}

func (a *app) merge(args []string, f mergeFlags) error {
	if f.out == "" {
		return usageError(errors.New("--out is missing: want the folder for the merged run"))
	}
	if err := folderNotFile(f.out); err != nil {
		return usageError(err)
	}
	parts := record.PartsOf(args)
	return a.mergeParts(parts, f)
}

// mergeParts merges runs into f.out, and renames an earlier run there.
func (a *app) mergeParts(parts []record.Part, f mergeFlags) error {
	m, err := record.Merge(parts, f.out, record.MergeOptions{MixTools: f.mixTools, Prepare: func() error { return a.moveAside(f.out) }})
	if errors.Is(err, record.ErrNotWritten) {
		return failure(err)
	}
	if err != nil {
		return usageError(err)
	}
	defer m.Folder.Close()
	for _, n := range m.Notes {
		a.warn("%s", n)
	}
	if m.Twice > 0 {
		a.warn("%s left out: another of the same point and device is kept", terminal.Count(m.Twice, "result"))
	}
	fmt.Fprintf(a.out, "%s: %s of %s\n", f.out, terminal.Count(m.Rows, "point"), terminal.Count(len(m.Devices), "device"))
	if f.noPlots || !figures.Wanted() {
		return nil
	}
	run, err := record.Read(f.out)
	if err == nil {
		_, err = plots.All(run, f.out, m.Folder, f.medium)
	}
	if err != nil {
		return &statusError{exitBad, fmt.Errorf("plots: %w", err)}
	}
	return nil
}
