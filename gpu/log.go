package gpu

import (
	"bytes"
	"fmt"
)

// MostLog is the number of bytes that a Log keeps: the compiler's first messages.
const MostLog = 64 << 10

// Log keeps the first part of a compiler's messages and counts the rest, because a source can make them
// endless.
type Log struct {
	first []byte
	more  int64
}

// Write appends b. It never fails.
func (l *Log) Write(b []byte) (int, error) {
	n := min(len(b), MostLog-len(l.first))
	l.first = append(l.first, b[:n]...)
	l.more += int64(len(b) - n)
	return len(b), nil
}

// String returns the first part and, if there is more, how much was left out. The first part then ends at a
// whole line.
func (l *Log) String() string {
	if l.more == 0 {
		return string(l.first)
	}
	kept := l.first
	if end := bytes.LastIndexByte(kept, '\n'); end > 0 {
		kept = kept[:end]
	}
	return fmt.Sprintf("%s\n… %d more bytes of the compiler's messages are left out\n", kept, l.more+int64(len(l.first)-len(kept)))
}

// FirstPart returns the part of a text that a Log keeps.
func FirstPart(text string) string {
	var l Log
	l.Write([]byte(text)) //nolint:errcheck // it has none
	return l.String()
}
