package bounded

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"

	"bench/terminal"
)

// Table reads a CSV file row by row.
type Table struct {
	rows *csv.Reader
	name string
	file io.Closer // nil: the caller's
}

// OpenTable opens a CSV file. It is compressed by gzip if its bytes say so.
func OpenTable(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := NewTable(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	t.file = f
	return t, nil
}

// NewTable reads a CSV file that is called name in errors, if it is. A byte order mark, as
// spreadsheets write, is passed over.
func NewTable(r io.Reader, name string) (*Table, error) {
	text, err := Inflated(r, name)
	if err != nil {
		return nil, err
	}
	plain := bufio.NewReaderSize(text, 64<<10)
	if mark, _ := plain.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // Read has the error
		if _, err := plain.Discard(len(byteOrderMark)); err != nil {
			return nil, err
		}
	}
	return &Table{rows: csv.NewReader(&records{in: plain, name: name, line: 1}), name: name}, nil
}

// Reader is the CSV reader behind, for how it divides rows.
func (t *Table) Reader() *csv.Reader { return t.rows }

// Read returns the next row, and io.EOF after the last. No cell has a line end.
func (t *Table) Read() ([]string, error) {
	row, err := t.rows.Read()
	if err != nil {
		var p *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, ErrBeyond):
			return nil, err
		case errors.As(err, &p) && errors.Is(p.Err, csv.ErrFieldCount):
			return nil, fmt.Errorf("%sline %d: wrong number of fields: %d, the header has %d", within(t.name), p.Line, len(row), t.rows.FieldsPerRecord)
		}
		return nil, fmt.Errorf("%s%w", within(t.name), err)
	}
	for i, cell := range row {
		row[i] = terminal.OneLine(cell)
	}
	return row, nil
}

// Line is where the row that was read last begins.
func (t *Table) Line() int {
	line, _ := t.rows.FieldPos(0)
	return line
}

// ReadAll reads what is left; lines are where the rows begin.
func (t *Table) ReadAll() (rows [][]string, lines []int, err error) {
	for {
		row, err := t.Read()
		if errors.Is(err, io.EOF) {
			return rows, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		rows, lines = append(rows, row), append(lines, t.Line())
	}
}

// ReadTable reads a CSV file whole, its header first.
func ReadTable(path string) (rows [][]string, lines []int, err error) {
	t, err := OpenTable(path)
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	return t.ReadAll()
}

// Close closes the file.
func (t *Table) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

const byteOrderMark = "\ufeff"

// Inflated is text that gzip may have compressed, up to the bounds of a table.
func Inflated(r io.Reader, name string) (io.Reader, error) {
	packed := &counted{in: r}
	b := bufio.NewReaderSize(packed, 64<<10)
	magic, err := b.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s%w", within(name), err)
	}
	if string(magic) != "\x1f\x8b" {
		return &limited{in: b, name: name, most: func() int64 { return MostTable }}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("%s%w", within(name), err)
	}
	return &limited{in: z, name: name, what: "unpacked, ", most: func() int64 { return min(MostTable, mostInflated+mostInflate*packed.n) }}, nil
}

// counted counts what was read.
type counted struct {
	in io.Reader
	n  int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.n += int64(n)
	return n, err
}

// limited ends with an error beyond a bound that may grow.
type limited struct {
	in         io.Reader
	name, what string
	most       func() int64
	n          int64
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	if l.n += int64(n); l.n > l.most() {
		return 0, beyond(l.name, "%sit has more than %s, the most that is read of it", l.what, Size(l.most()))
	}
	return n, err
}

// records passes CSV text on, and ends with an error at a row that is too long or where too
// many lines are blank. A line end between quotation marks ends no row.
type records struct {
	in     io.Reader
	name   string
	line   int
	length int  // of the row so far
	filled bool // with more than a carriage return
	quoted bool
	blank  int // lines since the last row
}

func (r *records) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	for i, c := range b[:n] {
		if r.length++; r.length > MostLine {
			return i, beyond(fmt.Sprintf("%sline %d", within(r.name), r.line), "a row has more than %s, the most that is read of one", Size(MostLine))
		}
		switch c {
		case '\n':
			r.line++
			if r.quoted {
				continue
			}
			if r.blank++; r.filled {
				r.blank = 0
			}
			if r.length, r.filled = 0, false; r.blank > MostBlank {
				return i, beyond(fmt.Sprintf("%sline %d", within(r.name), r.line-1), "more than %d blank lines follow each other", MostBlank)
			}
			continue
		case '\r':
			continue
		case '"':
			r.quoted = !r.quoted
		}
		r.filled = true
	}
	return n, err
}
