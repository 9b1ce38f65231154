package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bench/tuning/exchange"
)

func (a *app) importCommand() *cobra.Command {
	var f choices
	var t1 string
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read files of other tuners into recorded spaces",
		Long: `Import reads Kernel Tuner cache, T1, T4 and KTT files, plain or gzip, into
recorded spaces with a manifest, which bench replay takes. For a T1 file, which has no
results, it prints the space.

EXIT STATUS
  0    imported
  1    results could not be written
  2    bad usage, or a file that cannot be read
  130  interrupted`,
		Example: `  bench import cache.json
  bench import results.t4.json --t1 space.t1.json --out spaces`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.importFiles(c.Context(), args, t1, f) },
	}
	f.flag(cmd, "out: folder for the recorded spaces (default results/import-FILE)", "json: print one JSON object a file, a line each")
	cmd.Flags().StringVar(&t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	return cmd
}

// note prints a remark on standard error.
func (a *app) note(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", args...) }

// importFiles writes each file as a recorded space, or prints what it declares.
func (a *app) importFiles(ctx context.Context, paths []string, t1 string, f choices) error {
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
		return &statusError{exitBad, err}
	}
	if f.json {
		return printLines(a, all)
	}
	for _, x := range all {
		if !x.Declared {
			fmt.Fprintf(a.out, "%s: %s on %s, %d parameters, %d configurations, %d of them valid\n", x.Name, x.Kernel, cmp.Or(x.Device, "an unknown device"),
				len(x.Parameters), x.Configurations, x.Valid)
			continue
		}
		fmt.Fprintf(a.out, "%s: %s, %d parameters, %d conditions, %d valid points\n", x.Name, x.Kernel, len(x.Parameters), x.Conditions, x.Valid)
		for _, p := range x.Parameters {
			fmt.Fprintf(a.out, "  %s: %s\n", p, strings.Join(x.Values[p], " "))
		}
	}
	if written > 0 {
		fmt.Fprintf(a.out, "%s: recorded spaces and manifest.json\n", dir)
	}
	return nil
}
