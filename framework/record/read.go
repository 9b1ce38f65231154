package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"bench/framework"
	"bench/framework/textfile"
	"bench/linux"
)

// readRows puts the rows together from the five files in dir, and those that not every run
// has.
func (r *Run) readRows(dir string) error {
	for i, f := range r.Columns.files() {
		err := r.readFile(dir, f, i == 0)
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is incomplete: there is no %s beside %s", dir, r.file(f.kind), InfoFile)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range []csvFile{r.Columns.rateFile(), r.Columns.counterFile()} {
		if err := r.readFile(dir, f, false); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// readFile reads a file into the rows, row by row. The first file has the head's sections,
// and says how many rows there are.
func (r *Run) readFile(dir string, f csvFile, first bool) error {
	name := r.file(f.kind)
	path := filepath.Join(dir, name)
	t, err := textfile.OpenTable(path)
	if err != nil {
		return err
	}
	defer t.Close()
	fail := func(err error) error { return fmt.Errorf("%s: %s: %w", dir, name, err) }
	header, err := t.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: empty file, want a header line", path)
	}
	if err != nil {
		return err
	}
	sections := f.sections
	var filled []int // columns of which no row is without
	if first {
		for _, column := range []string{"algorithm", "version", "status"} {
			at := slices.Index(header, column)
			if at < 0 {
				return fail(fmt.Errorf("line 1: column %s is missing", column))
			}
			filled = append(filled, at)
		}
		sections = append(r.Columns.head(), sections...)
	}
	others := fmt.Errorf("%s: %s and %s are not of one run: their points differ", dir, r.file(timeCSV), name)
	point := slices.Index(header, "point")
	if point < 0 {
		return others
	}
	var readers []rowReader
	for _, s := range sections {
		read, err := s.reader(header)
		if err != nil {
			return fail(err)
		}
		readers = append(readers, read)
	}
	t.Reader().ReuseRecord = true
	n := 0
	for ; ; n++ {
		cells, err := t.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case err != nil:
			return err
		case first:
			if r.Rows, err = roomFor(r.Rows, t, path); err != nil {
				return err
			}
			for _, at := range filled {
				if cells[at] == "" {
					return fail(fmt.Errorf("line %d: column %s is empty", t.Line(), header[at]))
				}
			}
			r.Rows = append(r.Rows, Row{})
		case n == len(r.Rows):
			return others
		default:
			if p, err := strconv.Atoi(cells[point]); err != nil || p != r.Rows[n].Point {
				return others
			}
		}
		for _, read := range readers {
			if err := read(cells, &r.Rows[n]); err != nil {
				return fail(fmt.Errorf("line %d: %w", t.Line(), err))
			}
		}
		if f.kind == timeCSV {
			if err := checkTimes(&r.Rows[n]); err != nil {
				return fail(fmt.Errorf("line %d: %w", t.Line(), err))
			}
		}
	}
	if n < len(r.Rows) {
		return others
	}
	return nil
}

// fewRows is how many rows are read before the others are counted.
const fewRows = 1000

// roomFor has room for one row more: where there are many, for as many as the file has lines.
// Rows are large, and growing by parts would hold them twice.
func roomFor(rows []Row, t *textfile.Table, path string) ([]Row, error) {
	if len(rows) < cap(rows) || len(rows) < fewRows {
		return rows, nil
	}
	f, err := linux.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(t.Reader().InputOffset(), io.SeekStart); err != nil { // at the end of a compressed one, or behind
		return nil, err
	}
	lines, block := 1, make([]byte, 64<<10)
	for {
		n, err := f.Read(block)
		lines += bytes.Count(block[:n], []byte("\n"))
		if errors.Is(err, io.EOF) {
			return slices.Grow(rows, lines), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkTimes refuses what nothing measured; a point without times has zeros or nothing.
func checkTimes(w *Row) error {
	for _, x := range []Number{w.Time.Median, w.Time.Min, w.Time.Max} {
		if !x.IsSet() || x.Float() == 0 {
			continue
		}
		if err := framework.CheckSeconds(x.Float()); err != nil {
			return fmt.Errorf("a time %w", err)
		}
	}
	return nil
}
