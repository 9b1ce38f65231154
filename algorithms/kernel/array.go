package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"example.org/bench/internal/npy"
	"example.org/bench/internal/terminal"
)

// readArray reads a vector with this type and size from a .npy file or a file of bare elements.
func readArray(path string, e element, size int64) (vector, error) {
	f, err := os.Open(path)
	if err != nil {
		return vector{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return vector{}, err
	}
	if !info.Mode().IsRegular() {
		return vector{}, fmt.Errorf("%s is not a regular file", path)
	}
	return decodeArray(path, f, info.Size(), e, size)
}

// decodeArray reads a vector from the remaining rest bytes of the file at path.
func decodeArray(path string, r io.ReadSeeker, rest int64, e element, size int64) (vector, error) {
	want := size * e.bytes
	h, start, err := npy.ReadHeader(r)
	switch {
	case errors.Is(err, npy.ErrOther):
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return vector{}, err
		}
	case err == nil && !e.reads(h.Type):
		err = fmt.Errorf("the .npy file holds elements of %q; want %q (%s)", h.Type, e.npy, e.name)
	case err == nil && h.Count() != size*e.npyNumbers():
		err = fmt.Errorf("the .npy file holds %s, of shape (%s); want %d", terminal.Count(h.Count(), "number"), h.ShapeText(), size*e.npyNumbers())
	}
	if err != nil && !errors.Is(err, npy.ErrOther) {
		return vector{}, fmt.Errorf("%s: %w", path, err)
	}
	if rest -= start; rest != want {
		return vector{}, fmt.Errorf("%s holds %s; %s of %s are %d", path, terminal.Count(rest, "byte"), terminal.Count(size, "element"), e.name, want)
	}
	v := newVector(e, size)
	if _, err := io.ReadFull(r, v.data); err != nil {
		return vector{}, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// reads reports whether a .npy file with this typestr holds elements of this type.
func (e element) reads(typestr string) bool {
	return typestr == e.npy || e.part == "bf16" && (typestr == "|V2" || typestr == "<u2")
}

// npyNumbers returns how many numbers of a .npy file make one element.
func (e element) npyNumbers() int64 {
	if e.complex {
		return 1
	}
	return e.lanes
}

// writeArray writes a .npy file whose elements begin at byte npy.Start.
func writeArray(path string, v vector) error {
	shape := []int64{v.size}
	if n := v.npyNumbers(); n > 1 {
		shape = append(shape, n)
	}
	var b bytes.Buffer
	if _, err := (npy.File{Header: npy.Header{Type: v.npy, Shape: shape}, Data: v.data}).WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
