package npy_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"bench/framework/npy"
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

func TestBadHeaders(t *testing.T) {
	with := func(text string) string {
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text
	}
	for text, want := range map[string]string{
		"":                                   npy.ErrOther.Error(),
		"elements as such":                   npy.ErrOther.Error(),
		"\x93NUMPY\x01\x00\xff\x00{":         "the .npy header is cut off",
		"\x93NUMPY":                          "the .npy header is cut off",
		"\x93NUMPY\x02\x00\xff\xff\xff\x00{": "the .npy header is cut off or longer than 64 KiB",
		with("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }"): "the .npy file is in Fortran order; want C order",
		with("{'fortran_order': False, 'shape': (3,), }"):                "the .npy header lacks descr or shape",
		with("{'descr': '<f4', 'shape': (3, -1), }"):                     "the .npy file's shape is (3, -1)",
		with("{'descr': '<f4', 'shape': (4000000000, 4000000000), }"):    "the .npy file's shape is (4000000000, 4000000000)",
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
