package exchange

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"bench/framework/textfile"
)

// maxFileBytes bounds what is read into memory of one file.
const maxFileBytes = 1 << 30

// readMaybeGzip reads a file, unpacked where it is gzip.
func readMaybeGzip(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return plainOf(path, text)
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err = io.ReadAll(io.LimitReader(z, maxFileBytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plainOf(path, text)
}

func plainOf(path string, text []byte) ([]byte, error) {
	text, err := textfile.Plain(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// Open reads a file of another tuner, plain or gzip; declared is what a T1 file
// declares of it, nil without.
func Open(path string, declared *Study) (*Study, error) {
	text, err := readMaybeGzip(path)
	if err != nil {
		return nil, err
	}
	s, err := Read(text, declared)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// OpenT1 reads a T1 file, plain or gzip.
func OpenT1(path string) (*Study, error) {
	text, err := readMaybeGzip(path)
	if err != nil {
		return nil, err
	}
	s, err := ReadT1(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
