package command

import (
	"bench/framework/safefile"
	"bench/tuning/exchange"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
		RunE: func(_ *cobra.Command, args []string) error { return a.exportFiles(args, f) },
	}
	f.flag(cmd, "out: folder for the files (default results/export-FILE)")
	flags := cmd.Flags()
	flags.StringVar(&f.format, "to", "", "kernel-tuner, t1 or t4")
	flags.StringVar(&f.t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	flags.StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	return cmd
}

// exporters by the name of the format.
var exporters = map[string]func(io.Writer, *exchange.Study) error{
	"kernel-tuner": exchange.WriteCache, "t1": exchange.WriteT1, "t4": exchange.WriteT4,
}

func (a *app) exportFiles(paths []string, f exportFlags) error {
	ctx := context.Background()
	write := exporters[f.format]
	if write == nil {
		return usageError(fmt.Errorf("--to %q is none of %s", f.format, strings.Join(slices.Sorted(maps.Keys(exporters)), ", ")))
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("results", "export-"+studyName(paths[0]))
	}
	for _, path := range paths {
		named, err := a.studies(path, f.t1, f.manifest)
		if err != nil {
			return usageError(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return &statusError{exitBad, err}
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			var out bytes.Buffer
			if err := write(&out, named[name]); err != nil {
				return &statusError{exitBad, err}
			}
			file := filepath.Join(dir, name+"."+f.format+".json")
			if err := safefile.Write(file, &out); err != nil {
				return &statusError{exitBad, err}
			}
			fmt.Fprintln(a.out, file)
			if f.format != "t1" {
				continue // only T1 declares a space
			}
			if loss := named[name].Loss(ctx); loss != "" {
				fmt.Fprintf(a.err, "%s: %s\n", name, loss)
			}
		}
	}
	return nil
}

// studies are what an export is made from, by name: the folder of a search, a
// recorded space, or a file of another tuner.
func (a *app) studies(path, t1, manifest string) (map[string]*exchange.Study, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return exchange.FromSearch(path)
	}
	name := studyName(path)
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".csv") {
		r, err := a.openSpaces([]string{path}, manifest)
		if err != nil {
			return nil, err
		}
		return map[string]*exchange.Study{name: exchange.FromRecorded(r[0])}, nil
	}
	s, err := a.readStudy(path, t1)
	return map[string]*exchange.Study{name: s}, err
}
