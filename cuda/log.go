package cuda

import (
	"bytes"
	"fmt"
)

// MostLog is how many bytes are kept of what a compiler says: its first complaints.
const MostLog = 64 << 10

// Log keeps the first part of what a compiler says, which a source can make endless, and counts
// the rest.
type Log struct {
	first []byte
	more  int64
}

// Write takes b.
func (l *Log) Write(b []byte) (int, error) {
	n := min(len(b), MostLog-len(l.first))
	l.first = append(l.first, b[:n]...)
	l.more += int64(len(b) - n)
	return len(b), nil
}

// String is the first part, of whole lines where there is more, and how much was left out.
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

// FirstPart is what Log keeps of a text.
func FirstPart(text string) string {
	var l Log
	l.Write([]byte(text)) //nolint:errcheck // it has none
	return l.String()
}
