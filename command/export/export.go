// Package export writes a run as files for other programs: a table of all that is known of each point
// (record.Tidy) as CSV, JSON or Parquet, or the samples in Go's benchmark format.
package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
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

// Formats returns the names of the formats.
func Formats() []string { return append(slices.Sorted(maps.Keys(formats)), Zip) }

// Zip is the format that packs the folder of any results into one archive.
const Zip = "zip"

// Write writes the run of the folder dir to a file below out and returns its name and
// what it cannot hold. A long table has a row for each value. An archive holds the folder and needs no r.
func Write(dir string, r *record.Run, to, out string, long bool) (file, loss string, err error) {
	if to == Zip {
		return pack(dir, out)
	}
	table := r.Tidy
	if long {
		table = r.Long
	}
	t, err := table(NameOf(dir))
	if err != nil {
		return "", "", err
	}
	return write(dir, r, t, to, out)
}

// write writes the run whose table is t. The file's text goes to the disk as it is made.
func write(dir string, r *record.Run, t *record.Tidy, to, out string) (file, loss string, err error) {
	folder, err := safefile.MakeFolder(out)
	if err != nil {
		return "", "", err
	}
	defer folder.Close()
	f := formats[to]
	name := NameOf(dir) + f.extension
	c := &content{make: func(w io.Writer) (err error) {
		loss, err = f.write(w, dir, r, t)
		return err
	}}
	if err := folder.Write(name, c); err != nil {
		return "", "", cmp.Or(c.failed, err)
	}
	return folder.Path(name), loss, nil
}

// content is what make writes. failed is make's error, unless it is the error of the file
// that is written.
type content struct {
	make   func(io.Writer) error
	file   io.Writer
	full   bool
	failed error
}

// WriteTo implements io.WriterTo.
func (c *content) WriteTo(w io.Writer) (int64, error) {
	c.file = w
	b := bufio.NewWriter(c)
	err := c.make(b)
	if err == nil {
		err = b.Flush()
	}
	if !c.full {
		c.failed = err
	}
	return 0, err
}

// Write writes a part of the content to the file.
func (c *content) Write(part []byte) (int, error) {
	n, err := c.file.Write(part)
	c.full = c.full || err != nil
	return n, err
}

// NameOf returns the name of a run's folder, even of ".".
func NameOf(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return bounded.Folder(filepath.Base(dir))
}

// Apart refuses runs whose files would have the same name.
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
