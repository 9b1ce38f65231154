package command

import (
	"bench/framework/safefile"
	"bench/tuning/exchange"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
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
		RunE: func(_ *cobra.Command, args []string) error { return a.importFiles(args, t1, f.out) },
	}
	f.flag(cmd, "out: folder for the recorded spaces (default results/import-FILE)")
	cmd.Flags().StringVar(&t1, "t1", "", "the T1 file that declares a T4 file's parameters")
	return cmd
}

// studyName names a file's study: without folder and extensions.
func studyName(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".json", ".csv"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// readStudy reads a file of another tuner, and says what is to be said of it.
func (a *app) readStudy(path, t1 string) (*exchange.Study, error) {
	var declared *exchange.Study
	if t1 != "" {
		var err error
		if declared, err = exchange.OpenT1(t1); err != nil {
			return nil, err
		}
		for _, n := range declared.Notes {
			fmt.Fprintf(a.err, "%s: %s\n", t1, n)
		}
	}
	s, err := exchange.Open(path, declared)
	if err != nil {
		return nil, err
	}
	for _, n := range s.Notes {
		fmt.Fprintf(a.err, "%s: %s\n", path, n)
	}
	return s, nil
}

// importFiles writes each file as a recorded space, with a manifest that
// declares the order of the values.
func (a *app) importFiles(paths []string, t1, out string) error {
	dir := out
	if dir == "" {
		dir = filepath.Join("results", "import-"+studyName(paths[0]))
	}
	manifest := map[string]any{}
	for _, path := range paths {
		s, err := a.readStudy(path, t1)
		if err != nil {
			return usageError(err)
		}
		if len(s.Results) == 0 { // a T1 file
			if err := a.declared(path, s); err != nil {
				return usageError(err)
			}
			continue
		}
		r, err := s.Recorded(studyName(path))
		if err != nil {
			return usageError(fmt.Errorf("%s: %w", path, err))
		}
		if err := r.WriteFile(dir); err != nil {
			return &statusError{exitBad, err}
		}
		manifest[r.Name] = s.ManifestEntry(r)
		valid := 0
		for _, c := range r.Costs {
			if c == c {
				valid++
			}
		}
		fmt.Fprintf(a.out, "%s: %s on %s, %d parameters, %d configurations, %d of them valid\n", r.Name, s.Kernel, orUnknown(s.Device), len(s.Parameters), r.Space.Len(), valid)
	}
	if len(manifest) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(manifest, "", " ")
	if err == nil {
		err = safefile.Write(filepath.Join(dir, "manifest.json"), bytes.NewBuffer(append(text, '\n')))
	}
	if err != nil {
		return &statusError{exitBad, err}
	}
	fmt.Fprintf(a.out, "%s: recorded spaces and manifest.json\n", dir)
	return nil
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown device"
	}
	return s
}

// declared prints the space that a T1 file declares.
func (a *app) declared(path string, s *exchange.Study) error {
	d, err := s.Declaration()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	space, err := d.Enumerate(context.Background())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(a.out, "%s: %s, %d parameters, %d conditions, %d valid points\n", studyName(path), s.Kernel, len(s.Parameters), len(s.Conditions), space.Len())
	for _, p := range s.Parameters {
		var words []string
		for _, v := range p.Values {
			words = append(words, v.String())
		}
		fmt.Fprintf(a.out, "  %s: %s\n", p.Name, strings.Join(words, " "))
	}
	return nil
}
