package readers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	reader "github.com/parquet-go/parquet-go"

	"example.org/bench/command/export/parquet"
)

// values are a column's, null as nil.
func values(c parquet.Column) (all []any) {
	var at int
	for _, null := range c.Null {
		if null {
			all = append(all, nil)
			continue
		}
		switch c.Type {
		case parquet.Bool:
			all = append(all, c.Bools[at])
		case parquet.Int64:
			all = append(all, c.Ints[at])
		case parquet.Double:
			all = append(all, c.Doubles[at])
		case parquet.Text:
			all = append(all, c.Texts[at])
		}
		at++
	}
	return all
}

// read reads a file by another implementation, as columns of cells.
func read(t *testing.T, file []byte) (names []string, columns [][]any) {
	t.Helper()
	f, err := reader.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range f.Metadata().RowGroups {
		var raw, from int64 = 0, 4
		for _, c := range group.Columns {
			if raw += c.MetaData.TotalUncompressedSize; c.MetaData.DataPageOffset != from {
				t.Errorf("%v begins at %d, want %d", c.MetaData.PathInSchema, c.MetaData.DataPageOffset, from)
			}
			from += c.MetaData.TotalCompressedSize
		}
		if raw != group.TotalByteSize || raw <= int64(len(f.Schema().Fields())) {
			t.Errorf("%d bytes in columns, %d in the group", raw, group.TotalByteSize)
		}
	}
	for _, field := range f.Schema().Fields() {
		if !field.Optional() {
			t.Errorf("%s is not optional", field.Name())
		}
		names = append(names, field.Name())
	}
	columns = make([][]any, len(names))
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		buffer := make([]reader.Row, 7)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for i, v := range row {
					columns[i] = append(columns[i], value(v))
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return names, columns
}

func value(v reader.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Kind() == reader.Boolean:
		return v.Boolean()
	case v.Kind() == reader.Int64:
		return v.Int64()
	case v.Kind() == reader.Double:
		return v.Double()
	}
	return string(v.ByteArray())
}

// Another implementation reads tables of any shape as they were written.
func TestReadByAnother(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct{ columns, rows int }{{1, 0}, {1, 1}, {4, 3}, {14, 9}, {15, 8}, {16, 17}, {130, 300}, {4, 5000}} {
		var columns []parquet.Column
		for i := range size.columns {
			c := parquet.Column{Name: fmt.Sprintf("c%d", i), Type: []parquet.Type{parquet.Bool, parquet.Int64, parquet.Double, parquet.Text}[i%4], Null: make([]bool, size.rows)}
			null := false
			for row := range size.rows {
				if random.IntN(1+i) == 0 { // runs of all lengths
					null = !null
				}
				if c.Null[row] = null; null {
					continue
				}
				c.Bools = append(c.Bools, random.IntN(2) == 0)
				c.Ints = append(c.Ints, int64(random.Uint64()))
				c.Doubles = append(c.Doubles, []float64{random.NormFloat64(), math.Inf(-1), 5e-324, math.Copysign(0, -1)}[random.IntN(4)])
				c.Texts = append(c.Texts, strings.Repeat("µ,\"\n", random.IntN(4)))
			}
			columns = append(columns, c)
		}
		var file bytes.Buffer
		if err := parquet.Write(&file, "a test", columns); err != nil {
			t.Fatal(err)
		}
		names, got := read(t, file.Bytes())
		if len(names) != size.columns {
			t.Fatalf("%+v: %d columns", size, len(names))
		}
		for i, c := range columns {
			if want := values(c); names[i] != c.Name || fmt.Sprintf("%#v", got[i]) != fmt.Sprintf("%#v", want) {
				t.Fatalf("%+v, column %s is %s:\n%.300v\nwant\n%.300v", size, c.Name, names[i], got[i], want)
			}
		}
	}
}
