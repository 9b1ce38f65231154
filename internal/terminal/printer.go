package terminal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode/utf8"
)

// Printer is standard output or standard error. Names and texts in configs, results and programs may hold
// control characters, which a terminal obeys, and commands that the log of a forge obeys. Both are
// printed as escapes; in a JSON document these are JSON's own. Several goroutines may write to a Printer.
type Printer struct {
	mutex  sync.Mutex
	to     *os.File
	unread chan<- struct{}   // receives a value when nobody reads the output any more
	rest   []byte            // the beginning of a character
	names  *strings.Replacer // of the command line; nil where none has a line end
	line   commands          // in the current line
	begun  bool              // the current line has a character
	failed error             // the first error of a write
}

// NewPrinter prints to a file. When a write finds that nobody reads the output any more (EPIPE), it sends
// to unread without blocking; unread may be nil. The words of the command line and the name of the
// working folder are printed without line ends.
func NewPrinter(to *os.File, unread chan<- struct{}) *Printer {
	folder, _ := os.Getwd() // which is in names that are whole
	return &Printer{to: to, unread: unread, names: oneLine(append(os.Args[1:len(os.Args):len(os.Args)], folder)...)}
}

// called replaces the paths of Call.
var called atomic.Pointer[strings.Replacer]

// Call makes all printers write a name for the path of a folder that nobody knows, such as a temporary one.
func Call(path, name string) { called.Store(strings.NewReplacer(path, name)) }

// oneLine prints the words of a command line on one line, because other users may have named the files in
// a folder. A word may be a path, or have one after its equals sign. It returns nil if no word has a line
// end.
func oneLine(words ...string) *strings.Replacer {
	var flat []string
	for _, word := range words {
		for _, name := range strings.FieldsFunc(word, func(r rune) bool { return r == filepath.Separator || r == '=' }) {
			for HasLineEnd(name) { // with its extensions, and without
				flat = append(flat, name, OneLine(name))
				stem := strings.TrimSuffix(name, filepath.Ext(name))
				if stem == name {
					break
				}
				name = stem
			}
		}
	}
	if flat == nil {
		return nil
	}
	return strings.NewReplacer(flat...)
}

// Write prints all of b except the beginning of a character at its end. On a terminal, lines are broken
// at its width. It reports no error, because a tabwriter that continues after one panics; End does.
func (p *Printer) Write(b []byte) (int, error) { return p.write(b, Width(p.to)) }

// whole is a printer whose lines are not broken.
type whole struct{ p *Printer }

// Whole returns a printer whose lines stay whole on a terminal too: for JSON, CSV and what else programs
// read. Another writer is returned as it is.
func Whole(w io.Writer) io.Writer {
	if p, ok := w.(*Printer); ok {
		return whole{p}
	}
	return w
}

func (w whole) Write(b []byte) (int, error) { return w.p.write(b, 0) }

// write prints b, with lines broken at a width unless it is 0.
func (p *Printer) write(b []byte, width int) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	text := append(p.rest, b...)
	if c := called.Load(); c != nil {
		text = []byte(c.Replace(string(text)))
	}
	if p.names != nil {
		text = []byte(p.names.Replace(string(text)))
	}
	whole := len(text)
	for n := 1; n <= min(utf8.UTFMax-1, len(text)); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				whole -= n
			}
			break
		}
	}
	p.rest = append([]byte(nil), text[whole:]...)
	if p.failed == nil {
		shown := printable(string(text[:whole]), bool(PaletteOf(p.to)), &p.line)
		if width > 0 {
			shown = wrapped(shown, width, p.begun)
		}
		if shown != "" {
			p.begun = !strings.HasSuffix(shown, "\n")
		}
		_ = p.print(shown) // failed says it
	}
	return len(b), nil
}

func (p *Printer) print(text string) error {
	_, err := io.WriteString(p.to, text)
	if err != nil && p.failed == nil {
		p.failed = err
	}
	if errors.Is(err, syscall.EPIPE) {
		select {
		case p.unread <- struct{}{}:
		default: // it is known
		}
	}
	return err
}

// End makes a printer print everything and returns the first error of its writes, without the file's
// name. For another writer it does nothing.
func End(w io.Writer) error {
	p, ok := w.(*Printer)
	if !ok {
		return nil
	}
	err := p.End()
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return err
}

// End prints what Write kept and returns the first error of a write.
func (p *Printer) End() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.rest) > 0 {
		_ = p.print(printable(string(p.rest), false, &p.line)) // failed says it
		p.rest = nil
	}
	return p.failed
}

// control writes a terminal's control sequence, after which a line is empty, as it is.
func control(w io.Writer, sequence string) {
	if p, ok := w.(*Printer); ok {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		_ = p.print(sequence)
		p.begun = false
		return
	}
	_, _ = io.WriteString(w, sequence)
}

// fileOf returns the file behind a writer; nil if there is none.
func fileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *Printer:
		return w.to
	case *os.File:
		return w
	}
	return nil
}

// printable returns text with escapes in place of what a terminal obeys: control characters except tab
// and newline, those that change the direction of writing (Unicode Standard Annex 9, 2), U+2028 and
// U+2029, which end a line, and bytes that are not UTF-8. The sequences of a palette stay where colours
// is set. line is the state of the current line, in which a forge's commands may begin.
func printable(text string, colours bool, line *commands) string {
	if plain := *line; strings.IndexFunc(text, func(r rune) bool { return plain.obeyed(r) || obeyed(r) }) < 0 && utf8.ValidString(text) {
		*line = plain
		return text
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		if n := colour(text[at:]); colours && n > 0 {
			b.WriteString(text[at : at+n])
			at += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[at])
		case obeyed(r), line.obeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[at : at+n])
		}
		at += n
	}
	return b.String()
}

func obeyed(r rune) bool {
	switch {
	case r == '\t', r == '\n':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// colour returns the length of a palette's sequence at the start of text; 0 if there is none.
func colour(text string) int {
	for _, c := range []Colour{"", Red, Green, Yellow} {
		if s := "\x1b[" + string(c) + "m"; strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}
