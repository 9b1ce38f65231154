package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/bench/algorithms/kernel"
	"example.org/bench/framework/config"
	"example.org/bench/tuning/exchange"
)

func (a *app) importCommand() *cobra.Command {
	var f choices
	var t1, path string
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read files of other tuners into recorded spaces",
		Long: `Import reads Kernel Tuner cache, T1, T4 and KTT files, plain or gzip, into
recorded spaces with a manifest, which bench replay takes. For a T1 file, which has no
results, it prints the space; with --config it writes the kernel with its arguments,
launch, parameters and conditions as a config that bench validate finds good, which
bench run and bench tune take. With --t1 the file has results, and the best of them
are the config's defaults.

EXIT STATUS
  0    imported
  1    results could not be written
  2    bad usage, or a file that cannot be read
  130  interrupted`,
		Example: `  bench import cache.json
  bench import results.t4.json --t1 space.t1.json --out spaces
  bench import convolution.t1.json --config convolution.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if path != "" {
				return a.importKernel(c.Context(), args, t1, path, f)
			}
			return a.importFiles(c.Context(), args, t1, f)
		},
	}
	f.flag(cmd, "out: folder for the recorded spaces (default results/import-FILE)", "json: print one JSON object a file, a line each")
	cmd.Flags().StringVar(&t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	cmd.Flags().StringVar(&path, "config", "", "write the kernel of a T1 file as this config")
	return cmd
}

// importKernel writes the kernel of a T1 file as a config.
func (a *app) importKernel(ctx context.Context, paths []string, t1, path string, f choices) error {
	switch {
	case len(paths) != 1:
		return usageError(fmt.Errorf("--config takes one T1 file, not %d", len(paths)))
	case f.out != "" || f.json:
		return usageError(errors.New("--config writes one config; want no --out and --json with it"))
	}
	judge := exchange.Judge{Make: kernel.New, Validate: func(ctx context.Context, c *config.Config) error {
		_, _, err := a.validate(ctx, c, nil, choices{})
		return err
	}}
	if err := exchange.ImportKernel(ctx, paths[0], t1, path, judge, a.note); err != nil {
		return openError(err)
	}
	fmt.Fprintf(a.out, "%s: good, as bench validate says\n", path)
	return nil
}

// importFiles writes each file as a recorded space, or prints what it declares.
func (a *app) importFiles(ctx context.Context, paths []string, t1 string, f choices) error {
	if err := folderNotFile(f.out); err != nil {
		return usageError(err)
	}
	dir := cmp.Or(f.out, filepath.Join("results", "import-"+exchange.NameOf(paths[0])))
	var all []*exchange.Imported
	for _, path := range paths {
		x, err := exchange.Import(ctx, path, t1, a.note)
		if err != nil {
			return usageError(err)
		}
		all = append(all, x)
	}
	written, err := exchange.WriteImported(dir, all)
	if err != nil {
		return failure(err)
	}
	if f.json {
		return printLines(a, all)
	}
	for _, x := range all {
		fmt.Fprint(a.out, x.Text())
	}
	if written > 0 {
		fmt.Fprintf(a.out, "%s: recorded spaces and manifest.json\n", dir)
	}
	return nil
}
