package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"bench/framework/textfile"
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
	text, err := textfile.Read(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path}
	type line struct {
		Entry
		text string
	}
	var list []line
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		e, err := parse(raw)
		if err != nil {
			f.Damaged = append(f.Damaged, fmt.Sprintf("%s:%d: %v", path, number, err))
			continue
		}
		b, err := json.Marshal(e)
		if err != nil {
			f.Damaged = append(f.Damaged, fmt.Sprintf("%s:%d: %v", path, number, err))
			continue
		}
		list = append(list, line{e, string(b)})
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

// IsFile reports whether a file looks like a history: its first line is one's.
func IsFile(path string) bool {
	f, err := os.Open(path)
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
