package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"bench/tuning/exchange"
)

type exportFlags struct {
	choices
	format, t1, manifest string
}

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --to FORMAT FILE...",
		Short: "Write searches and recorded spaces as files of other tuners",
		Long: `Export writes the folder of a search, a recorded space or a file of another tuner
in the format of --to: kernel-tuner (a cache file), t1 or t4. It reports what a T1 file
cannot hold.

EXIT STATUS
  0    exported
  1    results could not be written
  2    bad usage, or a file that cannot be read
  130  interrupted`,
		Example: `  bench export --to t4 results/tune-scan
  bench export --to t1 gemm.csv.gz --manifest manifest.json --out t1`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.exportFiles(c.Context(), args, f) },
	}
	f.flag(cmd, "out: folder for the files (default results/export-FILE)", "json: print one JSON object a file, a line each")
	flags := cmd.Flags()
	flags.StringVar(&f.format, "to", "", "kernel-tuner, t1 or t4")
	flags.StringVar(&f.t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	flags.StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	return cmd
}

func (a *app) exportFiles(ctx context.Context, paths []string, f exportFlags) error {
	if err := exchange.CheckFormat(f.format); err != nil {
		return usageError(fmt.Errorf("--to %w", err))
	}
	dir := cmp.Or(f.out, filepath.Join("results", "export-"+exchange.NameOf(paths[0])))
	for _, path := range paths {
		studies, err := exchange.OpenAny(path, f.t1, f.manifest, a.note)
		if err != nil {
			return usageError(err)
		}
		written, err := exchange.Export(ctx, studies, f.format, dir)
		if err != nil {
			return &statusError{exitBad, err}
		}
		for _, x := range written {
			if x.Loss != "" {
				a.note("%s: %s", x.Name, x.Loss)
			}
			if !f.json {
				fmt.Fprintln(a.out, x.File)
			}
		}
		if f.json {
			if err := printLines(a, written); err != nil {
				return err
			}
		}
	}
	return nil
}
