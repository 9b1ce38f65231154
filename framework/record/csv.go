package record

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"strconv"

	"bench/framework/safefile"
	"bench/framework/textfile"
)

// A table is a CSV file in memory: a header and rows of as many cells.
// It is put together from sections: structs, and the columns that depend on the run.
type table struct {
	header []string
	kinds  []CellKind // of a table that is made, by column
	rows   [][]string
	lines  []int // of a table that was read, where the rows begin
}

func newTable(rows int) *table { return &table{rows: make([][]string, rows)} }

// addStructs appends one section of columns, one a field with a csv tag, as setStructs
// reads them back; prefix goes before each column's name. of is the struct of a row.
func addStructs[T any](t *table, prefix string, of func(row int) *T) error {
	columns, err := columnsOfStruct[T]()
	if err != nil {
		return err
	}
	for _, c := range columns {
		t.header = append(t.header, prefix+c.name)
	}
	t.kinds = append(t.kinds, kindsOf[T]()...)
	ends := make([]int, len(columns))
	var text []byte
	for i := range t.rows {
		text = text[:0]
		v := reflect.ValueOf(of(i)).Elem()
		for j, c := range columns {
			text = appendCell(text, v.FieldByIndex(c.index))
			ends[j] = len(text)
		}
		row, from := string(text), 0 // one for all cells
		for _, end := range ends {
			t.rows[i] = append(t.rows[i], row[from:end])
			from = end
		}
	}
	return nil
}

// structColumn is a field that is a column.
type structColumn struct {
	name  string
	index []int
}

// columnsOfStruct are the columns of a struct; an error if one is of a type that has no
// cell.
func columnsOfStruct[T any]() (columns []structColumn, err error) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name := f.Tag.Get("csv")
		if name == "" {
			continue
		}
		switch f.Type.Kind() {
		case reflect.String, reflect.Int, reflect.Int64, reflect.Float64:
		default:
			if f.Type != reflect.TypeFor[Number]() && f.Type != reflect.TypeFor[Count]() {
				return nil, fmt.Errorf("column %s: a %s has no cell", name, f.Type)
			}
		}
		columns = append(columns, structColumn{name, f.Index})
	}
	return columns, nil
}

// appendCell appends the cell of a field, which is of one of columnsOfStruct's types.
func appendCell(text []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(text, v.String()...)
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(text, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(text, v.Float(), 'f', -1, 64)
	}
	switch x := v.Addr().Interface().(type) {
	case *Number:
		return x.append(text)
	case *Count:
		return x.append(text)
	}
	return text
}

// setStructs reads a section back; of is the struct of a row.
func setStructs[T any](t *table, prefix string, of func(row int) *T) error {
	columns, err := columnsOfStruct[T]()
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, c := range columns {
		at := t.column(prefix + c.name)
		if at < 0 {
			continue
		}
		for i, row := range t.rows {
			if err := setCell(reflect.ValueOf(of(i)).Elem().FieldByIndex(c.index), row[at], texts); err != nil {
				return fmt.Errorf("line %d: column %s%s: %w", t.lines[i], prefix, c.name, err)
			}
		}
	}
	return nil
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

func (t *table) write(dir *safefile.Folder, name string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.header); err != nil {
		return err
	}
	if err := w.WriteAll(t.rows); err != nil {
		return err
	}
	return dir.Write(name, &b)
}

func readTable(path string) (*table, error) {
	all, lines, err := textfile.ReadTable(path)
	if err != nil {
		return nil, err
	}
	return &table{header: all[0], rows: all[1:], lines: lines[1:]}, nil
}
