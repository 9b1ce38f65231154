package board

import (
	"bytes"

	"example.org/bench/internal/bounded"
)

// Forged returns the archive of a file's files after a change. With anew, its sums and digest are those of the changed files.
func Forged(file string, anew bool, change func(files map[string][]byte)) ([]byte, error) {
	a, err := bounded.ReadZip(file)
	if err != nil {
		return nil, err
	}
	change(a.Files)
	z := &archive{files: a.Files}
	if !anew {
		z.sums = a.Files[sumsFile]
	}
	var b bytes.Buffer
	_, err = z.WriteTo(&b)
	return b.Bytes(), err
}
