package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.org/bench/command/export/parquet"
	"example.org/bench/framework/record"
	"example.org/bench/internal/textfile"
)

func writeCSV(w io.Writer, t *record.Tidy) error {
	out := csv.NewWriter(w)
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for rows, err := range t.Pieces {
		if err != nil {
			return err
		}
		if err := out.WriteAll(rows); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// writeJSON writes an array of objects, one a line, each with all columns.
func writeJSON(w io.Writer, t *record.Tidy) error {
	out := bufio.NewWriter(w)
	out.WriteString("[")
	separator := ""
	for rows, err := range t.Pieces {
		if err != nil {
			return err
		}
		for _, row := range rows {
			out.WriteString(separator)
			separator = ","
			if err := writeObject(out, t.Columns, row); err != nil {
				return err
			}
		}
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// writeObject writes a row as an object.
func writeObject(out *bufio.Writer, columns []record.TidyColumn, row []string) error {
	for i, c := range columns {
		v, err := valueOf(c, row[i])
		if err != nil {
			return err
		}
		if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			v = nil // JSON has none
		}
		name, err := json.Marshal(c.Name)
		if err != nil {
			return err
		}
		value, err := json.Marshal(v)
		if err != nil {
			return err
		}
		before := ", "
		if i == 0 {
			before = "\n{"
		}
		fmt.Fprintf(out, "%s%s: %s", before, name, value)
	}
	out.WriteString("}")
	return nil
}

func writeParquet(w io.Writer, t *record.Tidy) error {
	columns := make([]parquet.Column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = parquet.Column{Name: c.Name, Null: []bool{}, Type: map[record.CellKind]parquet.Type{
			record.TextCell: parquet.Text, record.IntCell: parquet.Int64, record.FloatCell: parquet.Double, record.BoolCell: parquet.Bool}[c.Kind]}
	}
	known := textfile.Texts{}
	for rows, err := range t.Pieces {
		if err != nil {
			return err
		}
		for i, c := range t.Columns {
			p := &columns[i]
			for _, row := range rows {
				v, err := valueOf(c, row[i])
				if err != nil {
					return err
				}
				p.Null = append(p.Null, v == nil)
				switch v := v.(type) {
				case bool:
					p.Bools = append(p.Bools, v)
				case int64:
					p.Ints = append(p.Ints, v)
				case float64:
					p.Doubles = append(p.Doubles, v)
				case string:
					p.Texts = append(p.Texts, known.Keep(v))
				}
			}
		}
	}
	return parquet.Write(w, "bench "+record.ThisTool().String(), columns)
}

// valueOf returns the value of a cell; nil if it is empty.
func valueOf(c record.TidyColumn, cell string) (v any, err error) {
	switch {
	case cell == "":
		return nil, nil
	case c.Kind == record.IntCell:
		v, err = strconv.ParseInt(cell, 10, 64)
	case c.Kind == record.FloatCell:
		v, err = strconv.ParseFloat(cell, 64)
	case c.Kind == record.BoolCell:
		v, err = strconv.ParseBool(cell)
	default:
		v = cell
	}
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.Name, err)
	}
	return v, nil
}
