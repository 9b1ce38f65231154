// Package export writes a run as files of other programs: one table of all that is
// known of each point (record.Tidy) as CSV, JSON or Parquet, and its samples as Go's
// benchmark format.
package export

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"bench/framework/record"
	"bench/framework/safefile"
)

// format writes a run; loss says what the file cannot hold.
type format struct {
	extension string
	write     func(w io.Writer, dir string, r *record.Run, t *record.Tidy) (loss string, err error)
}

var formats = map[string]format{
	"benchfmt": {".bench.txt", writeBenchmarks},
	"csv":      {".csv", tableOnly(writeCSV)},
	"json":     {".json", tableOnly(writeJSON)},
	"parquet":  {".parquet", tableOnly(writeParquet)},
}

func tableOnly(write func(io.Writer, *record.Tidy) error) func(io.Writer, string, *record.Run, *record.Tidy) (string, error) {
	return func(w io.Writer, _ string, _ *record.Run, t *record.Tidy) (string, error) { return "", write(w, t) }
}

// Formats are the names of the formats.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Write writes the run of the folder dir to a file below out and returns its name and
// what it cannot hold.
func Write(dir string, r *record.Run, to, out string) (file, loss string, err error) {
	name := NameOf(dir)
	t, err := r.Tidy(name)
	if err != nil {
		return "", "", err
	}
	var b bytes.Buffer
	f := formats[to]
	if loss, err = f.write(&b, dir, r, t); err != nil {
		return "", "", err
	}
	folder, err := safefile.MakeFolder(out)
	if err != nil {
		return "", "", err
	}
	defer folder.Close()
	return folder.Path(name + f.extension), loss, folder.Write(name+f.extension, &b)
}

// NameOf names a run by its folder, "." too.
func NameOf(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return filepath.Base(dir)
}

// Apart refuses runs whose files would have one name.
func Apart(paths []string) error {
	first := map[string]string{}
	for _, path := range paths {
		name := NameOf(path)
		if other, ok := first[name]; ok {
			return fmt.Errorf("%s and %s would both be written as %s: export one at a time, each with --out", other, path, name)
		}
		first[name] = path
	}
	return nil
}
