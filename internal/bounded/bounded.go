// Package bounded reads what others wrote, or what may have been changed or damaged since: results,
// recorded spaces, states of boards, configs, and what programs print. Nothing that it reads takes more
// memory than a bound allows; what is beyond is an error that names file, line and bound. Texts in tables
// and JSON never make a line of their own where they are printed (terminal.OneLine).
package bounded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.org/bench/internal/terminal"
)

// The bounds. A document is a JSON file; an answer is a worker's, or a line of a journal:
// ten million samples of a point have 200 MB. A text is a config or what lists something.
const (
	MostText     = 16 << 20
	MostDocument = 64 << 20
	MostAnswer   = 256 << 20
	MostLine     = 1 << 20 // of a table or a log, and so of a cell
	MostTable    = 8 << 30 // in bytes, of a table that is not compressed
	MostBlank    = 1000    // blank lines in a row
	// MostObjects bounds the objects and arrays of a document: each may take a hundred
	// times the memory of its two brackets.
	MostObjects = 4 << 20
)

// Compressed text is at most so many bytes and so many times its file: results and recorded
// spaces are compressed 5 to 30 times, and what deflate can do at most is 1032.
const (
	mostInflated = 64 << 20
	mostInflate  = 200
)

// ErrBeyond is wrapped by every error about a bound.
var ErrBeyond = errors.New("beyond what is read")

// beyond returns an error that says that something exceeds a bound; where is a file, or a file and a line.
func beyond(where, format string, args ...any) error {
	return &beyondError{within(where) + fmt.Sprintf(format, args...)}
}

// within returns the beginning of an error about what has a name.
func within(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

type beyondError struct{ text string }

func (e *beyondError) Error() string        { return e.text }
func (e *beyondError) Is(target error) bool { return target == ErrBeyond }

// Size returns a number of bytes in words.
func Size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// ReadFile reads a file that has at most so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if s, err := f.Stat(); err == nil && s.Mode().IsRegular() && s.Size() > most {
		return nil, TooLarge(path, most)
	}
	return ReadAll(f, path, most)
}

// ReadAll reads to the end of what is called name.
func ReadAll(r io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = TooLarge(name, most)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// TooLarge returns the error about what is called name and has more than most bytes.
func TooLarge(name string, most int64) error {
	return beyond(name, "has more than %s, the most that is read of it", Size(most))
}

// Unmarshal is json.Unmarshal of a document. It puts each string on one line, except those of
// fields with the tag lines:"kept".
func Unmarshal(text []byte, v any) error {
	if err := UnmarshalKept(text, v); err != nil {
		return err
	}
	if mayEndLine(text) {
		OneLine(v)
	}
	return nil
}

// UnmarshalKept is Unmarshal of a document whose strings keep their lines, such as the words
// of commands.
func UnmarshalKept(text []byte, v any) error {
	if n := bytes.Count(text, []byte("{")) + bytes.Count(text, []byte("[")); n > MostObjects {
		return fmt.Errorf("%w: it has %d objects and arrays, more than %d", ErrBeyond, n, MostObjects)
	}
	if err := json.Unmarshal(text, v); err != nil {
		message := terminal.OneLine(err.Error())
		if len(message) > mostWords { // it repeats a value of the document
			message = strings.ToValidUTF8(message[:mostWords], "") + "…"
		}
		if message != err.Error() {
			return errors.New(message)
		}
		return err
	}
	return nil
}

// Texts returns an error if a string of a JSON document is longer than a line may be.
func Texts(text []byte) error {
	if n := longestText(text); n > MostLine {
		return fmt.Errorf("%w: it has a text of %s, more than %s", ErrBeyond, Size(int64(n)), Size(MostLine))
	}
	return nil
}

// longestText returns the length of the longest string of a JSON document, as it is written there.
func longestText(text []byte) (most int) {
	if len(text) <= MostLine {
		return 0
	}
	for {
		begin := bytes.IndexByte(text, '"')
		if begin < 0 {
			return most
		}
		text = text[begin+1:]
		length := 0
		for length < len(text) && text[length] != '"' {
			if text[length] == '\\' {
				length++
			}
			length++
		}
		most, text = max(most, length), text[min(len(text), length+1):]
	}
}

// mostWords is the largest number of bytes of an error about a document.
const mostWords = 1000

// mayEndLine reports whether a string in JSON may have a line end: by an escape, or one of
// the two that need none.
func mayEndLine(text []byte) bool {
	for rest := text; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 || at+1 == len(rest) {
			return bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029"))
		}
		switch rest[at+1] {
		case 'n', 'r', 'u':
			return true
		}
		rest = rest[at+2:]
	}
}
