package record

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
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
}

func newTable(rows int) *table { return &table{rows: make([][]string, rows)} }

// addStructs appends one section of columns, one a field with a csv tag, as structReader
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

// structReader reads back what addStructs wrote, of a file with that header.
func structReader[T any](header []string, prefix string) (func(cells []string, x *T) error, error) {
	columns, err := columnsOfStruct[T]()
	if err != nil {
		return nil, err
	}
	at := make([]int, len(columns))
	for i, c := range columns {
		at[i] = slices.Index(header, prefix+c.name)
	}
	known := textfile.Texts{}
	return func(cells []string, x *T) error {
		v := reflect.ValueOf(x).Elem()
		for i, c := range columns {
			if at[i] < 0 {
				continue
			}
			if err := setCell(v.FieldByIndex(c.index), cells[at[i]], known); err != nil {
				return fmt.Errorf("column %s%s: %w", prefix, c.name, err)
			}
		}
		return nil
	}, nil
}

// addColumn appends one column.
func (t *table) addColumn(name string, kind CellKind, cell func(row int) string) {
	t.header, t.kinds = append(t.header, name), append(t.kinds, kind)
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], cell(i))
	}
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
