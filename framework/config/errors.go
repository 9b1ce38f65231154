package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error is one problem of an experiment file.
type Error struct {
	Path string // the file, as Config.Path
	// Pos is the place in the file. A zero Line means the file as a whole.
	Pos Position
	Msg string
	Err error // the cause, if there is one (no such file)

	lacks string // the key that is missing at Pos
}

// place is the path of what is wrong: of a missing key, where it would be.
func (e Error) place() string {
	if e.lacks != "" {
		return e.Pos.Path + "." + e.lacks
	}
	return e.Pos.Path
}

// Error returns one line: file:line:column: JSON path: what is wrong; what would be right.
func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Pos.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Pos.Line, e.Pos.Column)
	}
	b.WriteString(": ")
	if e.Pos.Path != "" {
		b.WriteString(e.Pos.Path + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap returns the cause.
func (e Error) Unwrap() error { return e.Err }

// Errors are all problems of one experiment file, in file order.
type Errors struct {
	List []Error
	seen map[Error]bool
	more int // problems beyond mostErrors
}

// mostErrors is how many problems of one file are listed at most.
const mostErrors = 1000

// Error returns one line per problem.
func (e *Errors) Error() string {
	lines := make([]string, len(e.List))
	for i, x := range e.List {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns every problem, for errors.Is and errors.As.
func (e *Errors) Unwrap() []error {
	list := make([]error, len(e.List))
	for i, x := range e.List {
		list[i] = x
	}
	return list
}

// Add appends a problem, unless it is already listed.
func (e *Errors) Add(path string, pos Position, format string, args ...any) {
	e.add(Error{Path: path, Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

func (e *Errors) add(x Error) {
	if e.seen[x] {
		return
	}
	if e.seen == nil {
		e.seen = map[Error]bool{}
	}
	if len(e.List) == mostErrors {
		e.more++
		return
	}
	e.seen[x] = true
	e.List = append(e.List, x)
}

// Err sorts the problems by position and returns e, or nil if there are none.
func (e *Errors) Err() error {
	if len(e.List) == 0 {
		return nil
	}
	slices.SortStableFunc(e.List, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.Msg, b.Msg))
	})
	if e.more > 0 {
		e.List = append(e.List, Error{Path: e.List[0].Path, Msg: fmt.Sprintf("%d more problems are not listed", e.more)})
		e.more = 0
	}
	return e
}

// Join adds the problems of err, which a later stage of reading found, except those that may only
// follow from one that is listed: at the same place, inside of it or around it. It reports whether
// there were any problems of a file in err.
func (e *Errors) Join(err error) bool {
	var further *Errors
	if !errors.As(err, &further) {
		return false
	}
	listed := slices.Clone(e.List)
	for _, x := range further.List {
		if !slices.ContainsFunc(listed, func(had Error) bool { return within(had.place(), x.place()) || within(x.place(), had.place()) }) {
			e.add(Error{Path: x.Path, Pos: x.Pos, Msg: x.Msg, lacks: x.lacks})
		}
	}
	return true
}

// within reports whether the value at path is the one at around, or inside of it. The whole file
// is around nothing.
func within(path, around string) bool {
	rest, ok := strings.CutPrefix(path, around)
	return ok && around != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// failure returns the error of a file that could not be read at all.
func failure(path string, err error, msg string) error {
	return &Errors{List: []Error{{Path: path, Msg: msg, Err: err}}}
}

var errTooLarge = errors.New("file too large")

// ErrSchema is the cause if the file is the schema of experiment files.
var ErrSchema = errors.New("this is the schema of configs, not a config")
