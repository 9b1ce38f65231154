package engine

import (
	"errors"
	"io"
	"os"
	"time"

	"example.org/bench/internal/linux"
)

// leftover reads the pipe of a process. Once the process has ended, Read returns what it left in
// the pipe, however late the reader is, and does not wait for what others write.
type leftover struct {
	pipe *os.File
	most int // bytes still to read after Ended
}

// pipeBytes is how much a pipe holds (pipe(7)).
const pipeBytes = 64 << 10

func leftoverOf(pipe *os.File) *leftover { return &leftover{pipe: pipe, most: pipeBytes} }

// Ended makes Read end instead of waiting.
func (l *leftover) Ended() { l.pipe.SetReadDeadline(time.Unix(0, 0)) } //nolint:errcheck // a closed one ends as well

// Close closes the pipe.
func (l *leftover) Close() error { return l.pipe.Close() }

func (l *leftover) Read(to []byte) (int, error) {
	n, err := l.pipe.Read(to)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	conn, err := l.pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	// Control, unlike Read, ignores the deadline.
	if failed := conn.Control(func(fd uintptr) { n, err = linux.Read(int(fd), to[:min(len(to), l.most)]) }); failed != nil || err != nil || n <= 0 {
		return 0, io.EOF
	}
	l.most -= n
	return n, nil
}
