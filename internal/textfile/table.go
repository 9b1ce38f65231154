package textfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
)

// Table reads a CSV file row by row.
type Table struct {
	rows *csv.Reader
	name string
	file io.Closer // nil: the caller's
}

// OpenTable opens a CSV file. It is compressed by gzip if its bytes say so.
func OpenTable(path string) (*Table, error) {
	f, err := bounded.Open(path)
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

// NewTable reads a CSV file that is called name in errors, if it is. One whose columns are not
// separated by commas, as spreadsheets save them in many languages, is refused.
func NewTable(r io.Reader, name string) (*Table, error) {
	text, err := bounded.Inflated(r, name)
	if err != nil {
		return nil, err
	}
	plain, err := Reader(text)
	if err == nil {
		err = checkSeparator(plain)
	}
	if err != nil {
		return nil, fmt.Errorf("%s%w", within(name), err)
	}
	return &Table{rows: csv.NewReader(bounded.Rows(plain, name)), name: name}, nil
}

// within begins an error about what has a name.
func within(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// checkSeparator looks at the beginning of a table.
func checkSeparator(text *bufio.Reader) error {
	head, _ := text.Peek(headBytes) // Read has the error
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.Contains(first, []byte(",")) {
		return nil
	}
	for separator, name := range map[string]string{";": "semicolons", "\t": "tabs"} {
		if bytes.Contains(first, []byte(separator)) {
			return fmt.Errorf("its columns are separated by %s, as a spreadsheet saves them; want commas, and numbers with a point", name)
		}
	}
	return nil
}

// Reader returns the underlying CSV reader, to set how it divides rows.
func (t *Table) Reader() *csv.Reader { return t.rows }

// Read returns the next row, and io.EOF after the last. No cell has a line end.
func (t *Table) Read() ([]string, error) {
	row, err := t.rows.Read()
	if err != nil {
		var p *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, bounded.ErrBeyond):
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

// Line returns the line at which the row that was read last begins.
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

// ReadTable reads a CSV file whole, its header first; lines are where the rows begin. One
// without a header is an error.
func ReadTable(path string) (rows [][]string, lines []int, err error) {
	t, err := OpenTable(path)
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	if rows, lines, err = t.ReadAll(); err == nil && len(rows) == 0 {
		err = fmt.Errorf("%s: empty file, want a header line", path)
	}
	return rows, lines, err
}

// Close closes the file.
func (t *Table) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
