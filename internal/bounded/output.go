package bounded

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"os/exec"
)

// mostSaid is the number of bytes that are kept of what a program says, its last ones.
const mostSaid = 64 << 10

// capped passes on what a program prints, and refuses more than a bound: the program is then
// ended by its pipe.
type capped struct {
	to     io.Writer
	name   string // of the program
	most   int    // bytes
	taken  int
	beyond error // nil as long as there is less
}

// Write passes b on.
func (c *capped) Write(b []byte) (int, error) {
	if c.taken += len(b); c.taken > c.most {
		c.beyond = beyond(c.name, "it prints more than %s, the most that is read of it", Size(int64(c.most)))
		return 0, c.beyond
	}
	return c.to.Write(b)
}

// Said keeps the end of what is written.
type Said struct{ kept []byte }

// Write takes b.
func (s *Said) Write(b []byte) (int, error) {
	s.kept = append(s.kept, b...)
	if n := len(s.kept); n > 2*mostSaid {
		s.kept = append(s.kept[:0], s.kept[n-mostSaid:]...)
	}
	return len(b), nil
}

// Bytes returns what was kept.
func (s *Said) Bytes() []byte { return s.kept[max(0, len(s.kept)-mostSaid):] }

// Output runs a command, and returns what it prints, up to a bound, and the end of what it says
// on standard error, which has a bound, too.
func Output(cmd *exec.Cmd, most int) (out, said []byte, err error) {
	var printed bytes.Buffer
	words := &Said{}
	a, b := &capped{to: &printed, name: cmd.Path, most: most}, &capped{to: words, name: cmd.Path, most: MostText}
	cmd.Stdout, cmd.Stderr = a, b
	err = cmd.Run()
	return printed.Bytes(), words.Bytes(), cmp.Or(a.beyond, b.beyond, err)
}

// CombinedOutput runs a command, and returns the end of all that it prints, which has a bound.
func CombinedOutput(cmd *exec.Cmd) ([]byte, error) {
	words := &Said{}
	all := &capped{to: words, name: cmd.Path, most: MostText}
	cmd.Stdout, cmd.Stderr = all, all
	err := cmd.Run()
	return words.Bytes(), cmp.Or(all.beyond, err)
}

// Tail returns the end of a file, such as a log; it is empty if the file cannot be read.
func Tail(f *os.File) []byte {
	s, err := f.Stat()
	if err != nil || !s.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, s.Size()-mostSaid), mostSaid))
	if err != nil {
		return nil
	}
	return text
}

// Reader returns a reader of r, called name in errors, that returns an error after most bytes.
func Reader(r io.Reader, name string, most int64) io.Reader {
	return &limited{in: r, name: name, most: func() int64 { return most }}
}

// Count returns how often text is in what is read, which need not fit into memory. No occurrence
// overlaps another or has a line end.
func Count(r io.Reader, text []byte) (n int, err error) {
	b := make([]byte, 1<<20)
	for kept := 0; ; {
		m, err := io.ReadFull(r, b[kept:])
		have := b[:kept+m]
		n += bytes.Count(have, text)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		end := len(have) - min(len(have), len(text)-1)
		if at := bytes.LastIndex(have, text); at >= 0 {
			end = max(end, at+len(text))
		}
		kept = copy(b, have[end:])
	}
}

// Begins reports whether a long text begins with all of a short one.
func Begins(long, short io.Reader) (bool, error) {
	a, b := make([]byte, 1<<20), make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(short, b)
		m, longErr := io.ReadFull(long, a[:n])
		if m < n || !bytes.Equal(a[:m], b[:n]) {
			if longErr != nil && longErr != io.EOF && longErr != io.ErrUnexpectedEOF {
				return false, longErr
			}
			return false, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}
