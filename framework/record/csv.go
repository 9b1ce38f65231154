package record

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"

	"github.com/gocarina/gocsv"

	"example.org/bench/internal/textfile"
)

// A table is rows of a CSV file in memory: a header and rows of as many cells.
// It is put together from sections: structs, and the columns that depend on the run.
type table struct {
	header []string
	kinds  []CellKind // by column
	rows   [][]string
}

func newTable(rows int) *table { return &table{rows: make([][]string, rows)} }

// reset empties the table, which keeps its memory, for so many rows.
func (t *table) reset(rows int) {
	t.header, t.kinds = t.header[:0], t.kinds[:0]
	t.rows = slices.Grow(t.rows[:0], rows)[:rows]
	for i := range t.rows {
		t.rows[i] = t.rows[i][:0]
	}
}

// add appends the columns of sections.
func (t *table) add(sections []section, rows []Row) error {
	for _, s := range sections {
		if err := s.write(t, rows); err != nil {
			return err
		}
	}
	return nil
}

// addStructs appends one section of columns, as gocsv writes a struct; prefix goes before
// each column's name. list has a row's struct, or nil for empty cells.
func addStructs[T any](t *table, prefix string, list []*T) error {
	t.kinds = append(t.kinds, kindsOf[T]()...)
	return gocsv.MarshalCSV(list, &structCells{t, prefix, headerRow})
}

// headerRow comes before a table's first row.
const headerRow = -1

// structCells takes what gocsv writes of structs into a table.
type structCells struct {
	table  *table
	prefix string
	row    int
}

func (s *structCells) Write(cells []string) error {
	if s.row == headerRow {
		for _, name := range cells {
			s.table.header = append(s.table.header, s.prefix+name)
		}
	} else {
		s.table.rows[s.row] = append(s.table.rows[s.row], cells...)
	}
	s.row++
	return nil
}

func (s *structCells) Flush()       {}
func (s *structCells) Error() error { return nil }

// addColumn appends one column.
func (t *table) addColumn(name string, kind CellKind, cell func(row int) string) {
	t.header, t.kinds = append(t.header, name), append(t.kinds, kind)
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], cell(i))
	}
}

// structReader has gocsv read back what addStructs wrote, from a file's rows.
type structReader[T any] struct {
	at    []int      // the columns in the file
	texts []bool     // which of them are texts
	head  []string   // the file's names of them
	cells [][]string // gocsv's names of them, and room for the cells that it reads
	known textfile.Texts
	rows  []int // that are not empty
	made  []*T  // of them
}

// formerly are the names of columns in older files.
var formerly = map[string]string{"runs_per_sample": "batch"}

// readStructs reads from a file with that header; what it lacks of a struct stays zero.
func readStructs[T any](header []string, prefix string) (*structReader[T], error) {
	want := newTable(0)
	if err := addStructs[T](want, "", nil); err != nil {
		return nil, err
	}
	s := &structReader[T]{known: textfile.Texts{}}
	var names []string
	for i, name := range want.header {
		at := slices.Index(header, prefix+name)
		if had := formerly[name]; at < 0 && had != "" {
			at = slices.Index(header, prefix+had)
		}
		if at >= 0 {
			names = append(names, name)
			s.at, s.head = append(s.at, at), append(s.head, header[at])
			s.texts = append(s.texts, want.kinds[i] == TextCell || want.kinds[i] == BoolCell)
		}
	}
	s.cells = [][]string{names}
	return s, nil
}

// GetCSVRows returns what gocsv reads.
func (s *structReader[T]) GetCSVRows() ([][]string, error) { return s.cells[:len(s.rows)+1], nil }

// read makes a struct of each row; nil of one whose cells are all empty, as addStructs takes
// it. An error is of the row of that index.
func (s *structReader[T]) read(rows [][]string) (list []*T, at int, err error) {
	s.rows = s.rows[:0]
	for i, row := range rows {
		if slices.ContainsFunc(s.at, func(at int) bool { return row[at] != "" }) {
			s.rows = append(s.rows, i)
		}
	}
	list = make([]*T, len(rows))
	if len(s.rows) == 0 {
		return list, 0, nil
	}
	for len(s.cells) <= len(s.rows) {
		s.cells = append(s.cells, make([]string, len(s.at)))
	}
	for k, i := range s.rows {
		for j, at := range s.at {
			cell := rows[i][at]
			if s.texts[j] {
				cell = s.known.Keep(cell) // gocsv's is a part of the file's row
			}
			s.cells[k+1][j] = cell
		}
	}
	s.made = slices.Grow(s.made[:0], len(s.rows))[:len(s.rows)]
	err = gocsv.UnmarshalDecoder(s, &s.made)
	var bad *csv.ParseError
	if errors.As(err, &bad) { // it counts lines from the header's 1
		return nil, s.rows[bad.Line-2], fmt.Errorf("column %s: %w", s.head[bad.Column-1], bad.Err)
	}
	for k, i := range s.rows {
		list[i] = s.made[k]
	}
	return list, 0, err
}
