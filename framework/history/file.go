package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bench/framework/bounded"
)

// DefaultFile is the file's name where none is given.
const DefaultFile = "history.jsonl"

// File is what a history's file holds.
type File struct {
	Path    string
	Entries []Entry // in the order of their runs, each once
	// Damaged names the lines that cannot be read, and what is wrong with each.
	Damaged []string
	// Twice is how many results another has the same point and time as: the first by
	// the order of texts is kept.
	Twice int
}

// Read reads a history. Damaged lines are no error.
func Read(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f := &File{Path: path}
	type line struct {
		Entry
		text string
	}
	var list []line
	err = eachLine(in, path, func(number int, raw []byte) {
		e, err := parse(raw)
		var b []byte
		if err == nil {
			b, err = json.Marshal(e)
		}
		if err != nil {
			f.Damaged = append(f.Damaged, fmt.Sprintf("%s:%d: %v", path, number, err))
			return
		}
		list = append(list, line{e, string(b)})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b line) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.text, b.text))
	})
	list = slices.CompactFunc(list, func(a, b line) bool { return a.text == b.text })
	seen := map[string]bool{}
	for _, l := range list {
		key := l.Started.String() + "\n" + l.key()
		if seen[key] {
			f.Twice++
			continue
		}
		seen[key] = true
		f.Entries = append(f.Entries, l.Entry)
	}
	return f, nil
}

// eachLine visits the lines of a history that are not blank, without the blanks around.
func eachLine(in io.Reader, path string, visit func(number int, line []byte)) error {
	blank := 0
	for lines := bounded.NewLines(in, path, bounded.MostLine); ; {
		line, err := lines.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			visit(lines.Number(), line)
			blank = 0
		} else if blank++; blank > bounded.MostBlank {
			return fmt.Errorf("%s: line %d: %w: more than %d blank lines follow each other", path, lines.Number(), bounded.ErrBeyond, bounded.MostBlank)
		}
		if err != nil {
			return nil
		}
	}
}

// IsFile reports whether a file looks like a history: its first line is one's.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := f.Read(head) // what there is
	for raw := range bytes.Lines(head[:n]) {
		if _, err := parse(bytes.TrimSpace(raw)); err == nil {
			return true
		}
	}
	return false
}
