package machine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"syscall"
)

// attempts is how often an attribute is read if its driver answers EAGAIN: one
// that stops waiting for a conversion may find it ready at the next read.
const attempts = 4

// ReadWhole reads a whole number from the start of an open attribute of sysfs,
// without reopening it and without an allocation. It uses text, which has room for
// the number and its line's end. Its errors do not say which file it is. All bits set,
// which drivers show for no value, is an error.
func ReadWhole(f io.ReaderAt, text []byte) (int64, error) {
	v, err := ReadCounter(f, text)
	if err == nil && AllBits(float64(v)) {
		return 0, errAllBits
	}
	return v, err
}

// AllBits reports whether a number has all bits set, of 31 or 32, which drivers show for no value
// (INT_MAX, UINT_MAX).
func AllBits(v float64) bool { return v == math.MaxInt32 || v == math.MaxUint32 }

var errAllBits = errors.New("no value: all bits set (2147483647 or 4294967295)")

// ReadCounter is ReadWhole for a counter, which passes through every number of its range.
func ReadCounter(f io.ReaderAt, text []byte) (int64, error) {
	var n int
	var err error
	for range attempts {
		if n, err = f.ReadAt(text, 0); n > 0 || !errors.Is(err, syscall.EAGAIN) {
			break
		}
	}
	if n == 0 {
		var of *fs.PathError
		if errors.As(err, &of) {
			err = of.Err
		}
		return 0, fmt.Errorf("no value: %w", err) // io.EOF for an empty file
	}
	return parseWhole(text[:n])
}

// parseWhole reads digits with an optional sign, up to the line's end.
func parseWhole(b []byte) (int64, error) {
	i, sign := 0, int64(1)
	if len(b) > 0 && b[0] == '-' {
		i, sign = 1, -1
	}
	v, digits := int64(0), 0
	for ; i < len(b) && '0' <= b[i] && b[i] <= '9' && digits < 18; i++ {
		v = 10*v + int64(b[i]-'0')
		digits++
	}
	if digits == 0 || i < len(b) && b[i] != '\n' && b[i] != ' ' {
		return 0, fmt.Errorf("no whole number: %q", b)
	}
	return sign * v, nil
}
