package executable

import (
	"errors"
	"fmt"
	"io"
	"os"

	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
	"example.org/bench/internal/npy"
)

// mostBytes bounds a file with an answer, because both files are read whole.
const mostBytes = 4 << 30

// Answers implements framework.Answerer with the two files that the program names. An element may be off by
// error_bound times the largest right element.
func (a *algorithm) Answers() ([]framework.Answer, error) {
	if a.report.answer == "" {
		return nil, nil
	}
	got, shape, err := readArray(a.report.answer)
	want, _, bad := readArray(a.report.right)
	if err := errors.Join(err, bad); err != nil {
		return nil, a.blame(err)
	}
	largest, err := mismatch.Largest(want)
	if err != nil {
		return nil, a.blame(err)
	}
	return []framework.Answer{{Name: "answer", Shape: shape, Got: got, Want: want, Most: framework.Evenly(*a.report.bound * largest)}}, nil
}

// readArray reads a .npy file.
func readArray(path string) (a framework.Array, shape []int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return a, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return a, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return a, nil, fmt.Errorf("%s: want a file of at most %d GiB", path, mostBytes>>30)
	}
	h, start, err := npy.ReadHeader(f)
	if err != nil {
		return a, nil, fmt.Errorf("%s: %w", path, err)
	}
	data := make([]byte, info.Size()-start)
	if _, err := io.ReadFull(f, data); err != nil {
		return a, nil, fmt.Errorf("%s: %w", path, err)
	}
	return framework.Array{Type: h.Type, Lanes: 1, Bytes: data}, h.Shape, nil
}
