package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/export"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
	"example.org/bench/tuning/exchange"
)

type exportFlags struct {
	choices
	format, t1, manifest string
	long                 bool
}

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --to FORMAT RUN...",
		Short: "Write runs as one table, or for benchstat, and searches as files of other tuners",
		Long: `Export writes a run's folder as one file in the format of --to:

  csv       one table, a row a point: time, counts, power, energy and conditions
  json      the same as an array of objects, with null where nothing was measured
  parquet   the same with a type for each column
  benchfmt  Go's benchmark format, a line a sample (or a process, where several measured
            a point), which benchstat reads
  zip       the folder as one file, which verbs read as they read the folder; of runs,
            searches, ab and replay

or the folder of a search, a recorded space or a file of another tuner as

  kernel-tuner  a cache file
  t1, t4        the FAIR formats; it reports what a T1 file cannot hold

The table of a search's folder has its trials.

EXIT STATUS
  0    exported
  1    results could not be written
  2    bad usage, or a file that cannot be read
  130  interrupted`,
		Example: `  bench export --to parquet results/fft
  bench export --to benchfmt results/before results/after --out compared
  bench export --to t4 results/tune-scan
  bench export --to t1 gemm.csv.gz --manifest manifest.json --out t1`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.exportFiles(c.Context(), args, f) },
	}
	f.flag(cmd, "out: folder for the files (default results/export-RUN)", "json: print one JSON object a file, a line each")
	flags := cmd.Flags()
	flags.StringVar(&f.format, "to", "", strings.Join(exportFormats(), ", "))
	flags.BoolVar(&f.long, "long", false, "csv, json, parquet: a row for each value of a point, with its interval")
	flags.StringVar(&f.t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	flags.StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	return cmd
}

// exportFormats returns the formats of runs, followed by those of searches.
func exportFormats() []string { return append(export.Formats(), exchange.Formats()...) }

func (a *app) exportFiles(ctx context.Context, paths []string, f exportFlags) error {
	write, name := a.exportSearch, exchange.NameOf(paths[0])
	switch {
	case f.long && !slices.Contains([]string{"csv", "json", "parquet"}, f.format):
		return usageError(errors.New("--long goes with --to csv, json and parquet"))
	case slices.Contains(export.Formats(), f.format):
		write, name = a.exportRun, export.NameOf(paths[0])
		if f.t1 != "" || f.manifest != "" {
			return usageError(fmt.Errorf("--t1 and --manifest do not go with --to %s: they say more of recorded spaces", f.format))
		}
		if err := export.Apart(paths); err != nil {
			return usageError(err)
		}
	case !slices.Contains(exchange.Formats(), f.format):
		return usageError(errors.New("--to " + config.NoneOf(f.format, exportFormats())))
	}
	if err := f.check(); err != nil {
		return err
	}
	dir := cmp.Or(f.out, filepath.Join("results", "export-"+name))
	for _, path := range paths {
		written, err := write(ctx, path, dir, f)
		if err != nil {
			return err
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

func (a *app) exportSearch(ctx context.Context, path, dir string, f exportFlags) ([]exchange.Exported, error) {
	studies, err := exchange.OpenAny(path, f.t1, f.manifest, a.note)
	if err != nil {
		return nil, usageError(err)
	}
	written, err := exchange.Export(ctx, studies, f.format, dir)
	if err != nil {
		return nil, failure(err)
	}
	return written, nil
}

func (a *app) exportRun(_ context.Context, path, dir string, f exportFlags) ([]exchange.Exported, error) {
	var run *record.Run // an archive needs none
	var err error
	if f.format != export.Zip {
		if run, err = a.readRun(path, true); err != nil {
			return nil, err
		}
	}
	file, loss, err := export.Write(path, run, f.format, dir, f.long)
	if errors.Is(err, export.ErrNoResults) {
		return nil, usageError(err)
	}
	if err != nil {
		return nil, failure(err)
	}
	return []exchange.Exported{{Name: export.NameOf(path), File: file, Loss: loss}}, nil
}
