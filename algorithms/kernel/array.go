package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// The .npy format ("numpy.lib.format", NumPy's documentation): a magic word, a
// version, the length of a header, the header as a Python dictionary, the
// elements.
const npyMagic = "\x93NUMPY"

// npyStart is where the elements begin in the files written here.
const npyStart = 128

var (
	npyType    = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*True`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([^)]*)\)`)
)

// readArray reads a vector of that type and size from a .npy file, or from one
// that holds the elements alone.
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

// decodeArray reads a vector from that many bytes of the file at path.
func decodeArray(path string, r io.ReadSeeker, rest int64, e element, size int64) (vector, error) {
	want := size * e.bytes
	magic := make([]byte, len(npyMagic))
	if n, _ := io.ReadFull(r, magic); n == len(magic) && string(magic) == npyMagic {
		start, err := npyHeader(r, e, size)
		if err != nil {
			return vector{}, fmt.Errorf("%s: %w", path, err)
		}
		rest -= start
	} else if _, err := r.Seek(0, io.SeekStart); err != nil {
		return vector{}, err
	}
	if rest != want {
		return vector{}, fmt.Errorf("%s holds %d bytes; %d elements of %s are %d", path, rest, size, e.name, want)
	}
	v := newVector(e, size)
	if _, err := io.ReadFull(r, v.data); err != nil {
		return vector{}, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// npyHeader reads what follows the magic word and returns where the elements
// begin.
func npyHeader(r io.Reader, e element, size int64) (start int64, err error) {
	var version [2]byte
	if _, err := io.ReadFull(r, version[:]); err != nil {
		return 0, errors.New("the .npy header is cut off")
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
		return 0, errors.New("the .npy header is cut off or longer than 64 KiB")
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return 0, errors.New("the .npy header is cut off")
	}
	descr, shape := npyType.FindSubmatch(header), npyShape.FindSubmatch(header)
	switch {
	case descr == nil || shape == nil:
		return 0, errors.New("the .npy header lacks descr or shape")
	case !e.reads(string(descr[1])):
		return 0, fmt.Errorf("the .npy file holds elements of %q; want %q (%s)", descr[1], e.npy, e.name)
	case npyFortran.Match(header):
		return 0, errors.New("the .npy file is in Fortran order; want C order")
	}
	count := int64(1)
	for _, part := range strings.Split(string(shape[1]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 || n > 0 && count > (1<<62)/n {
			return 0, fmt.Errorf("the .npy file's shape is (%s)", shape[1])
		}
		count *= n
	}
	if want := size * e.npyNumbers(); count != want {
		return 0, fmt.Errorf("the .npy file holds %d numbers, of shape (%s); want %d", count, shape[1], want)
	}
	return start + int64(length), nil
}

// reads is true for a typestr of the elements in a .npy file.
func (e element) reads(typestr string) bool {
	return typestr == e.npy || e.part == "bf16" && (typestr == "|V2" || typestr == "<u2")
}

// npyNumbers is how many numbers of a .npy file an element is.
func (e element) npyNumbers() int64 {
	if e.complex {
		return 1
	}
	return e.lanes
}

// writeArray writes a .npy file whose elements begin at byte npyStart.
func writeArray(path string, v vector) error {
	shape := fmt.Sprintf("%d,", v.size)
	if n := v.npyNumbers(); n > 1 {
		shape += fmt.Sprintf(" %d", n)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", v.npy, shape)
	var b bytes.Buffer
	b.WriteString(npyMagic + "\x01\x00")
	room := npyStart - b.Len() - 2
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(room)))
	fmt.Fprintf(&b, "%-*s\n", room-1, header)
	b.Write(v.data)
	return os.WriteFile(path, b.Bytes(), 0o600)
}
