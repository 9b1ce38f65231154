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

	"example.org/bench/framework"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
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
	return r.readStages(dir)
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
	var readers []rowsReader
	for _, s := range sections {
		read, err := s.reader(header)
		if err != nil {
			return fail(err)
		}
		readers = append(readers, read)
	}
	if f.kind == timeCSV {
		readers = append(readers, eachRow(func(_ []string, w *Row) error { return checkTimes(w) }))
	}
	n := 0
	// take looks at a row before it is read.
	take := func(cells []string) error {
		if !first {
			if n == len(r.Rows) {
				return others
			}
			if p, err := strconv.Atoi(cells[point]); err != nil || p != r.Rows[n].Point {
				return others
			}
			n++
			return nil
		}
		for _, at := range filled {
			if cells[at] == "" {
				return fail(fmt.Errorf("line %d: column %s is empty", t.Line(), header[at]))
			}
		}
		if cells[point] != "" {
			p, err := strconv.Atoi(cells[point])
			if err != nil {
				return fail(fmt.Errorf("line %d: column point: %q is no whole number", t.Line(), cells[point]))
			}
			cells[point] = strconv.Itoa(p) // gocsv takes 010 for 8
		}
		if r.Rows, err = roomFor(r.Rows, t, path); err != nil {
			return err
		}
		r.Rows = append(r.Rows, Row{})
		n++
		return nil
	}
	t.Reader().ReuseRecord = true
	var b block
	for end := error(nil); end == nil; {
		end = b.fill(t, take)
		if at, err := b.read(readers, r.Rows[n-len(b.cells):n]); err != nil {
			return fail(fmt.Errorf("line %d: %w", b.lines[at], err))
		}
		if end != nil && !errors.Is(end, io.EOF) {
			return end
		}
	}
	if n < len(r.Rows) {
		return others
	}
	return nil
}

// blockRows is how many rows of a file are read at once.
const blockRows = 256

// block is consecutive rows of a file.
type block struct {
	cells [][]string
	lines []int // where the rows begin
}

// fill replaces the rows by the next ones that take accepts. An error, io.EOF at the end, is
// of what comes behind them.
func (b *block) fill(t *textfile.Table, take func(cells []string) error) error {
	had := b.cells[:cap(b.cells)] // whose memory is taken again
	b.cells, b.lines = b.cells[:0], b.lines[:0]
	for len(b.cells) < blockRows {
		cells, err := t.Read()
		if err != nil {
			return err
		}
		if err := take(cells); err != nil {
			return err
		}
		var row []string
		if k := len(b.cells); k < len(had) {
			row = had[k][:0]
		}
		b.cells, b.lines = append(b.cells, append(row, cells...)), append(b.lines, t.Line())
	}
	return nil
}

// read puts the block into rows. An error is the first row's, of that index.
func (b *block) read(readers []rowsReader, rows []Row) (at int, first error) {
	at = len(rows)
	for _, read := range readers {
		if i, err := read(b.cells[:at], rows[:at]); err != nil {
			at, first = i, err
		}
	}
	return at, first
}

// fewRows is how many rows are read before the others are counted.
const fewRows = 1000

// roomFor has room for one row more: where there are many, for as many as the file has lines.
// Rows are large, and growing by parts would hold them twice.
func roomFor(rows []Row, t *textfile.Table, path string) ([]Row, error) {
	if len(rows) < cap(rows) || len(rows) < fewRows {
		return rows, nil
	}
	f, err := bounded.Open(path)
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
