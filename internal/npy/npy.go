// Package npy reads and writes NumPy's .npy files ("numpy.lib.format", NumPy's
// documentation): a magic word, a version, the length of a header, the header as a
// Python dictionary, the elements.
package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.org/bench/internal/lazy"
)

const magic = "\x93NUMPY"

// Start is the offset at which the elements begin in the files that File.WriteTo writes
// for arrays of few dimensions.
const Start = 128

// Header describes the elements of a file.
type Header struct {
	// Type is the elements' typestr, such as "<f4".
	Type  string
	Shape []int64 // the last extent varies fastest
}

var (
	typeEntry = lazy.Regexp(`'descr':\s*'([^']*)'`)
	fortran   = lazy.Regexp(`'fortran_order':\s*True`)
	shape     = lazy.Regexp(`'shape':\s*\(([^)]*)\)`)
)

// Count returns the number of elements.
func (h Header) Count() int64 {
	n := int64(1)
	for _, extent := range h.Shape {
		n *= extent
	}
	return n
}

// ShapeText returns the shape as Python writes it, without its brackets: "3," or "2, 3".
func (h Header) ShapeText() string {
	words := make([]string, len(h.Shape))
	for i, n := range h.Shape {
		words[i] = strconv.FormatInt(n, 10)
	}
	if len(words) == 1 {
		return words[0] + ","
	}
	return strings.Join(words, ", ")
}

// ErrOther is ReadHeader's error for what does not begin as a .npy file does.
var ErrOther = errors.New("not a .npy file")

// ReadHeader reads what is before the elements, and returns its size in bytes as start.
func ReadHeader(r io.Reader) (h Header, start int64, err error) {
	word := make([]byte, len(magic))
	if n, _ := io.ReadFull(r, word); n < len(magic) || string(word) != magic {
		return h, 0, ErrOther
	}
	var version [2]byte
	if _, err := io.ReadFull(r, version[:]); err != nil {
		return h, 0, errors.New("the .npy header is cut off")
	}
	var length uint32
	if version[0] == 1 {
		var short uint16
		err = binary.Read(r, binary.LittleEndian, &short)
		length, start = uint32(short), 10
	} else {
		err = binary.Read(r, binary.LittleEndian, &length)
		start = 12
	}
	if err != nil || length > 1<<16 {
		return h, 0, errors.New("the .npy header is cut off or longer than 64 KiB")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, 0, errors.New("the .npy header is cut off")
	}
	kind, extents := typeEntry().FindSubmatch(text), shape().FindSubmatch(text)
	switch {
	case kind == nil || extents == nil:
		return h, 0, errors.New("the .npy header lacks descr or shape")
	case fortran().Match(text):
		return h, 0, errors.New("the .npy file is in Fortran order; want C order")
	}
	h.Type = string(kind[1])
	count := int64(1)
	for _, part := range strings.Split(string(extents[1]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 || n > 0 && count > (1<<62)/n {
			return h, 0, fmt.Errorf("the .npy file's shape is (%s)", strings.Trim(fmt.Sprintf("%.100q", extents[1]), `"`))
		}
		count *= n
		h.Shape = append(h.Shape, n)
	}
	return h, start + int64(length), nil
}

// File is a .npy file to be written.
type File struct {
	Header
	Data []byte // the elements
}

// WriteTo implements io.WriterTo.
func (f File) WriteTo(w io.Writer) (int64, error) {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", f.Type, f.ShapeText())
	var b bytes.Buffer
	b.WriteString(magic + "\x01\x00")
	const before = len(magic) + 4
	room := (before+len(header)+1+Start-1)/Start*Start - before
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(room)))
	fmt.Fprintf(&b, "%-*s\n", room-1, header)
	n, err := b.WriteTo(w)
	if err != nil {
		return n, err
	}
	m, err := w.Write(f.Data)
	return n + int64(m), err
}
