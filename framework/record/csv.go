package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gocarina/gocsv"

	"bench/framework/safefile"
)

// A table is a CSV file in memory: a header and rows of as many cells.
// It is put together from sections: structs by gocsv, and the columns that
// depend on the run.
type table struct {
	header []string
	kinds  []CellKind // of a table that is made, by column
	rows   [][]string
}

func newTable(rows int) *table { return &table{rows: make([][]string, rows)} }

// lines lets gocsv write into a table.
type lines struct{ all [][]string }

func (l *lines) Write(row []string) error {
	l.all = append(l.all, append([]string(nil), row...))
	return nil
}
func (l *lines) Flush()       {}
func (l *lines) Error() error { return nil }

// addStructs appends one section of columns, as gocsv writes the structs, one
// a row; prefix goes before each column's name.
func addStructs[T any](t *table, prefix string, structs []T) error {
	var l lines
	if err := gocsv.MarshalCSV(structs, &l); err != nil {
		return err
	}
	for _, name := range l.all[0] {
		t.header = append(t.header, prefix+name)
	}
	t.kinds = append(t.kinds, kindsOf[T]()...)
	for i, cells := range l.all[1:] {
		t.rows[i] = append(t.rows[i], cells...)
	}
	return nil
}

// structs reads a section back.
func structs[T any](t *table, prefix string) ([]T, error) {
	var s source
	var at []int
	var header []string
	for i, name := range t.header {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			at, header = append(at, i), append(header, rest)
		}
	}
	s.all = append(s.all, header)
	for _, row := range t.rows {
		cells := make([]string, len(at))
		for i, j := range at {
			cells[i] = row[j]
		}
		s.all = append(s.all, cells)
	}
	var out []T
	err := gocsv.UnmarshalCSV(&s, &out)
	return out, err
}

// source lets gocsv read from a table.
type source struct{ all [][]string }

func (s *source) ReadAll() ([][]string, error) { return s.all, nil }
func (s *source) Read() ([]string, error) {
	if len(s.all) == 0 {
		return nil, io.EOF
	}
	row := s.all[0]
	s.all = s.all[1:]
	return row, nil
}

// addColumn appends one column.
func (t *table) addColumn(name string, kind CellKind, cell func(row int) string) {
	t.header, t.kinds = append(t.header, name), append(t.kinds, kind)
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], cell(i))
	}
}

// column is the place of a column; -1 where there is none.
func (t *table) column(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

func (t *table) write(path string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.header); err != nil {
		return err
	}
	if err := w.WriteAll(t.rows); err != nil {
		return err
	}
	return safefile.Write(path, &b)
}

func readTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errors.New("empty file, want a header line"))
	}
	return &table{header: all[0], rows: all[1:]}, nil
}
