package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"bench/export/parquet"
	"bench/framework/record"
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
	return out.WriteAll(t.Rows)
}

// writeJSON writes an array of objects, one a line, each with all columns.
func writeJSON(w io.Writer, t *record.Tidy) error {
	out := bufio.NewWriter(w)
	out.WriteString("[")
	for j, row := range t.Rows {
		if j > 0 {
			out.WriteString(",")
		}
		for i, c := range t.Columns {
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
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

func writeParquet(w io.Writer, t *record.Tidy) error {
	columns := make([]parquet.Column, len(t.Columns))
	for i, c := range t.Columns {
		p := parquet.Column{Name: c.Name, Null: make([]bool, len(t.Rows)), Type: map[record.CellKind]parquet.Type{
			record.TextCell: parquet.Text, record.IntCell: parquet.Int64, record.FloatCell: parquet.Double, record.BoolCell: parquet.Bool}[c.Kind]}
		for j, row := range t.Rows {
			v, err := valueOf(c, row[i])
			if err != nil {
				return err
			}
			switch v := v.(type) {
			case nil:
				p.Null[j] = true
			case bool:
				p.Bools = append(p.Bools, v)
			case int64:
				p.Ints = append(p.Ints, v)
			case float64:
				p.Doubles = append(p.Doubles, v)
			case string:
				p.Texts = append(p.Texts, v)
			}
		}
		columns[i] = p
	}
	return parquet.Write(w, "bench "+record.ThisTool().String(), columns)
}

// valueOf is what a cell holds, nil where it is empty.
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
