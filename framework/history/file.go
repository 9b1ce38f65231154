package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/textfile"
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
	// Undated are the results whose date cannot be right, in the order of lines: they have
	// no place among the others.
	Undated []Undated
}

// Undated is a result of which it is not known when it was measured.
type Undated struct {
	Entry
	// Since is how many dated runs have a result of its point on lines after its own: its
	// file is mostly appended to, and merging keeps lines near their places.
	Since int
}

// Read reads a history. Damaged lines are no error.
func Read(path string) (*File, error) { return readAt(path, time.Now()) }

// readAt is Read at a time: what is dated later than that was not.
func readAt(path string, now time.Time) (*File, error) {
	in, err := linux.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f := &File{Path: path}
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
	list = f.date(list, now)
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

// line is one of a history, in its canonical form.
type line struct {
	Entry
	text string
}

// date moves the lines whose date cannot be right to Undated, and returns the others.
func (f *File) date(lines []line, now time.Time) (dated []line) {
	since := map[string]map[time.Time]bool{} // runs on later lines, by point
	had := map[string]bool{}
	for _, l := range slices.Backward(lines) {
		if machine.DateDoubt(l.Started, now) == "" {
			dated = append(dated, l)
			key := l.key()
			if since[key] == nil {
				since[key] = map[time.Time]bool{}
			}
			since[key][l.Started] = true
		} else if !had[l.text] {
			had[l.text] = true
			f.Undated = append(f.Undated, Undated{l.Entry, len(since[l.key()])})
		}
	}
	slices.Reverse(f.Undated)
	return dated
}

// eachLine visits the lines of a history that are not blank, without the blanks around.
func eachLine(in io.Reader, path string, visit func(number int, line []byte)) error {
	plain, err := textfile.Reader(in)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	blank := 0
	for lines := bounded.NewLines(plain, path, bounded.MostLine); ; {
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
	f, err := linux.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := f.Read(head) // what there is
	head, err = textfile.Plain(head[:n])
	if err != nil {
		return false
	}
	for raw := range bytes.Lines(head) {
		if _, err := parse(bytes.TrimSpace(raw)); err == nil {
			return true
		}
	}
	return false
}
