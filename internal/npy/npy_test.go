package npy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"example.org/bench/internal/npy"
)

func TestRoundTrip(t *testing.T) {
	for _, shape := range [][]int64{{3}, {2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1000000000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		var b bytes.Buffer
		f := npy.File{Header: npy.Header{Type: "<f4", Shape: shape}, Data: []byte("elements")}
		n, err := f.WriteTo(&b)
		if err != nil || n != int64(b.Len()) {
			t.Fatalf("%d of %d bytes, %v", n, b.Len(), err)
		}
		h, start, err := npy.ReadHeader(bytes.NewReader(b.Bytes()))
		if err != nil || h.Type != "<f4" || !slices.Equal(h.Shape, shape) || start%64 != 0 || string(b.Bytes()[start:]) != "elements" {
			t.Errorf("%v: %+v at %d, %v", shape, h, start, err)
		}
		if len(shape) < 3 && start != npy.Start {
			t.Errorf("%v begins at %d", shape, start)
		}
	}
}

// TestElementsBeginAtTheNext128Bytes after a header of any length, which ends in a newline.
func TestElementsBeginAtTheNext128Bytes(t *testing.T) {
	for length := range 200 {
		var b bytes.Buffer
		f := npy.File{Header: npy.Header{Type: strings.Repeat("x", length), Shape: []int64{1}}, Data: []byte("elements")}
		if _, err := f.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		h, start, err := npy.ReadHeader(bytes.NewReader(b.Bytes()))
		text, elements, _ := strings.Cut(b.String(), "\n")
		least := int64(len(strings.TrimRight(text, " ")) + 1)
		if err != nil || h.Type != f.Type || int64(len(text)+1) != start || start%128 != 0 || start-least >= 128 || elements != "elements" {
			t.Errorf("a type of %d: at %d of at least %d, %v", length, start, least, err)
		}
	}
}

// file is a .npy file of no elements with that header.
func file(text string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text
}

// TestLongestHeaders: NumPy writes version 2 where a header is longer than 65,535 bytes;
// one of 64 KiB is still read.
func TestLongestHeaders(t *testing.T) {
	for _, length := range []int{1 << 16, 1<<16 + 1} {
		text := "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
		text += strings.Repeat(" ", length-len(text))
		before := "\x93NUMPY\x02\x00" + string(binary.LittleEndian.AppendUint32(nil, uint32(length))) + text
		h, start, err := npy.ReadHeader(strings.NewReader(before + "elements"))
		if ok := length == 1<<16; (err == nil) != ok || ok && (start != int64(len(before)) || h.Count() != 3) {
			t.Errorf("%d bytes: %+v at %d, %v", length, h, start, err)
		}
	}
}

// TestCounts: an extent of 0 is an empty array, and as many elements as a file can count
// are right.
func TestCounts(t *testing.T) {
	for text, want := range map[string]int64{
		"":                       1,
		"0,":                     0,
		"3, 0, 5":                0,
		"0, 9000000000000000000": 0,
		"1, 1":                   1,
		"4611686018427387904,":   1 << 62,
		"2147483648, 2147483648": 1 << 62,
		"2, 2305843009213693952": 1 << 62,
	} {
		h, _, err := npy.ReadHeader(strings.NewReader(file("{'descr': '<f4', 'fortran_order': False, 'shape': (" + text + "), }")))
		if err != nil || h.Count() != want {
			t.Errorf("(%s): %+v of %d elements, %v", text, h, h.Count(), err)
		}
	}
}

func TestBadHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   npy.ErrOther.Error(),
		"elements as such":                   npy.ErrOther.Error(),
		"\x93NUMPY\x01\x00\xff\x00{":         "the .npy header is cut off",
		"\x93NUMPY":                          "the .npy header is cut off",
		"\x93NUMPY\x02\x00\xff\xff\xff\x00{": "the .npy header is cut off or longer than 64 KiB",
		file("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }"): "the .npy file is in Fortran order; want C order",
		file("{'fortran_order': False, 'shape': (3,), }"):                "the .npy header lacks descr or shape",
		file("{'descr': '<f4', 'shape': (3, -1), }"):                     "the .npy file's shape is (3, -1)",
		file("{'descr': '<f4', 'shape': (4000000000, 4000000000), }"):    "the .npy file's shape is (4000000000, 4000000000)",
	} {
		_, _, err := npy.ReadHeader(bytes.NewReader([]byte(text)))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	if _, _, err := npy.ReadHeader(bytes.NewReader(nil)); !errors.Is(err, npy.ErrOther) {
		t.Error(err)
	}
}
