package bounded

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Inflated returns a reader of text that gzip may have compressed, up to the bounds of a table.
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

// Rows passes CSV text on, of what is called name in errors, if it is. It ends with an error at
// a row that is too long or where too many lines are blank.
func Rows(r io.Reader, name string) io.Reader { return &records{in: r, name: name, line: 1} }

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
