// Package parquet writes a flat table as a Parquet file: one row group, one page a
// column, PLAIN values compressed by gzip. Names of fields and their numbers are those
// of parquet.thrift and Encodings.md in "Apache Parquet Format".
package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Type is the type of a column's values.
type Type int

// The types, with Parquet's numbers.
const (
	Bool   Type = 0
	Int64  Type = 2
	Double Type = 5
	Text   Type = 6 // UTF-8
)

const (
	magic         = "PAR1"
	optional      = 1
	utf8          = 0 // converted type
	plain, rle    = 0, 3
	codecGZIP     = 2
	dataPage      = 0
	formatVersion = 1
)

// Column is a column of a table; every cell may be null. The one of Bools, Ints, Doubles
// and Texts that is of its type holds the cells that are not null, in their order.
type Column struct {
	Name    string
	Type    Type
	Null    []bool // by row
	Bools   []bool
	Ints    []int64
	Doubles []float64
	Texts   []string
}

// chunk is a column as it stands in the file.
type chunk struct {
	at                int64
	raw, packed, rows int
}

// Write writes columns, all with the same number of rows; by is the program that writes.
func Write(w io.Writer, by string, columns []Column) error {
	file := bytes.NewBufferString(magic)
	rows := 0
	if len(columns) > 0 {
		rows = len(columns[0].Null)
	}
	chunks := make([]chunk, len(columns))
	for i, c := range columns {
		if len(c.Null) != rows {
			return fmt.Errorf("parquet: column %s has %d rows, want %d", c.Name, len(c.Null), rows)
		}
		var err error
		if chunks[i], err = c.write(file); err != nil {
			return err
		}
	}
	meta := footer(by, columns, chunks, rows)
	file.Write(meta)
	file.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(meta))))
	file.WriteString(magic)
	_, err := w.Write(file.Bytes())
	return err
}

// write appends the column's page to the file.
func (c Column) write(file *bytes.Buffer) (chunk, error) {
	page := append(c.levels(), c.values()...)
	if len(page) > math.MaxInt32 {
		return chunk{}, fmt.Errorf("parquet: column %s has %d bytes, more than a page can hold", c.Name, len(page))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(page); err != nil {
		return chunk{}, err
	}
	if err := z.Close(); err != nil {
		return chunk{}, err
	}
	header := message() // PageHeader
	header.i32(1, dataPage)
	header.i32(2, int32(len(page)))
	header.i32(3, int32(packed.Len()))
	header.begin(5) // DataPageHeader
	header.i32(1, int32(len(c.Null)))
	header.i32(2, plain)
	header.i32(3, rle) // definition levels
	header.i32(4, rle) // repetition levels: there are none
	header.end()
	header.end()
	at := int64(file.Len())
	file.Write(header.text)
	file.Write(packed.Bytes())
	return chunk{at, len(header.text) + len(page), len(header.text) + packed.Len(), len(c.Null)}, nil
}

// levels returns a 1 for each value and a 0 for each null, encoded as runs, after their
// length in bytes.
func (c Column) levels() []byte {
	runs := make([]byte, 4)
	for from := 0; from < len(c.Null); {
		to := from + 1
		for to < len(c.Null) && c.Null[to] == c.Null[from] {
			to++
		}
		level := byte(1)
		if c.Null[from] {
			level = 0
		}
		runs = append(binary.AppendUvarint(runs, uint64(to-from)<<1), level)
		from = to
	}
	binary.LittleEndian.PutUint32(runs, uint32(len(runs)-4))
	return runs
}

// values returns the values that are not null.
func (c Column) values() (b []byte) {
	switch c.Type {
	case Bool: // eight in a byte, the first in the lowest bit
		b = make([]byte, (len(c.Bools)+7)/8)
		for i, x := range c.Bools {
			if x {
				b[i/8] |= 1 << (i % 8)
			}
		}
	case Int64:
		for _, x := range c.Ints {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
	case Double:
		for _, x := range c.Doubles {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	case Text:
		for _, s := range c.Texts {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
		}
	}
	return b
}

// footer returns the file's FileMetaData.
func footer(by string, columns []Column, chunks []chunk, rows int) []byte {
	t := message()
	t.i32(1, formatVersion)
	t.list(2, typeStruct, 1+len(columns)) // SchemaElement, the root first
	t.begin(0)
	t.string(4, "table")
	t.i32(5, int32(len(columns)))
	t.end()
	for _, c := range columns {
		t.begin(0)
		t.i32(1, int32(c.Type))
		t.i32(3, optional)
		t.string(4, c.Name)
		if c.Type == Text {
			t.i32(6, utf8)
			t.begin(10) // LogicalType
			t.begin(1)  // StringType
			t.end()
			t.end()
		}
		t.end()
	}
	t.i64(3, int64(rows))
	t.list(4, typeStruct, 1) // RowGroup
	t.begin(0)
	t.list(1, typeStruct, len(columns)) // ColumnChunk
	var total int64
	for i, c := range columns {
		total += int64(chunks[i].raw)
		t.begin(0)
		t.i64(2, chunks[i].at)
		t.begin(3) // ColumnMetaData
		t.i32(1, int32(c.Type))
		t.list(2, typeI32, 2)
		t.text = binary.AppendVarint(binary.AppendVarint(t.text, plain), rle)
		t.list(3, typeBinary, 1)
		t.bare(c.Name)
		t.i32(4, codecGZIP)
		t.i64(5, int64(chunks[i].rows))
		t.i64(6, int64(chunks[i].raw))
		t.i64(7, int64(chunks[i].packed))
		t.i64(9, chunks[i].at)
		t.end()
		t.end()
	}
	t.i64(2, total)
	t.i64(3, int64(rows))
	t.end()
	t.string(6, by)
	t.end()
	return t.text
}
