package npy

import (
	"bytes"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzHeader: a file of any content is refused in a line, or has a shape from 0, whose header
// when it is written is read again.
func FuzzHeader(f *testing.F) {
	var b bytes.Buffer
	if _, err := (File{Header: Header{Type: "<f4", Shape: []int64{2, 3}}, Data: make([]byte, 24)}).WriteTo(&b); err != nil {
		f.Fatal(err)
	}
	for seed := range 20 {
		f.Add(b.Bytes(), uint64(seed))
	}
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), uint64(0))
	f.Add(bytes.Replace(b.Bytes(), []byte("(2, 3)"), []byte("(2,\n\x00)"), 1), uint64(0))
	f.Fuzz(func(t *testing.T, file []byte, seed uint64) {
		damage.CheckMemory(t, 1<<20+1000*len(file), func() {
			h, start, err := ReadHeader(bytes.NewReader(damage.Change(seed, "x.npy", file)))
			if damage.CheckError(t, err); err != nil {
				return
			}
			for _, n := range h.Shape {
				if n < 0 || start < 10 {
					t.Errorf("%+v at %d", h, start)
				}
			}
			var b bytes.Buffer
			if _, err := (File{Header: h}).WriteTo(&b); err != nil || b.Len() > 1<<16 {
				return // longer than a header can be
			}
			if again, _, err := ReadHeader(&b); err != nil || again.ShapeText() != h.ShapeText() {
				t.Errorf("%+v is read again as %+v, %v", h, again, err)
			}
		})
	})
}
