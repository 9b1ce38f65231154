package bounded

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Lines reads text line by line.
type Lines struct {
	in     *bufio.Reader
	name   string
	most   int
	long   []byte
	number int
}

// NewLines reads lines of at most so many bytes each of what is called name in errors, if it is.
func NewLines(r io.Reader, name string, most int) *Lines {
	return &Lines{in: bufio.NewReaderSize(r, min(most, 1<<20)), name: name, most: most}
}

// Read returns the next line with its end, valid until the next call. With io.EOF it returns
// the last if that has none.
func (l *Lines) Read() ([]byte, error) {
	l.number++
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.long)+len(part) > l.most {
			return nil, beyond(fmt.Sprintf("%sline %d", within(l.name), l.number), "it has more than %s, the most that is read of a line", Size(int64(l.most)))
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.long = append(l.long, part...)
			continue
		}
		if len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		return part, err
	}
}

// Rest returns what follows the line that was read last, for text that is not read by lines.
func (l *Lines) Rest() io.Reader { return l.in }

// Number returns the number, from 1, of the line that was read last.
func (l *Lines) Number() int { return l.number }
