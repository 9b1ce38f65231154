package exchange

import (
	"fmt"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/textfile"
)

// maxFileBytes bounds what is read into memory of one file.
const maxFileBytes = 1 << 30

// readMaybeGzip reads a file, unpacked where it is gzip.
func readMaybeGzip(path string) ([]byte, error) {
	f, err := linux.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if s, err := f.Stat(); err == nil && s.Size() > maxFileBytes {
		return nil, bounded.TooLarge(path, maxFileBytes)
	}
	text, err := bounded.Inflated(f, path)
	if err != nil {
		return nil, err
	}
	plain, err := bounded.ReadAll(text, path, maxFileBytes)
	if err != nil {
		return nil, err
	}
	if plain, err = textfile.Plain(plain); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plain, nil
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
