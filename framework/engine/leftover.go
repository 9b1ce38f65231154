package engine

import (
	"errors"
	"io"
	"os"
	"time"

	"bench/linux"
)

// leftover reads the pipe of a process. Once that has ended, what it left in the pipe
// is read, however late the reader comes to it, and what others write is not waited for.
type leftover struct {
	pipe *os.File
	most int // bytes still read after Ended
}

// pipeBytes is how much a pipe holds (pipe(7)).
const pipeBytes = 64 << 10

func leftoverOf(pipe *os.File) *leftover { return &leftover{pipe: pipe, most: pipeBytes} }

// Ended makes Read end where it would wait.
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
	// Control, unlike Read, asks for no deadline.
	if failed := conn.Control(func(fd uintptr) { n, err = linux.Read(int(fd), to[:min(len(to), l.most)]) }); failed != nil || err != nil || n <= 0 {
		return 0, io.EOF
	}
	l.most -= n
	return n, nil
}
