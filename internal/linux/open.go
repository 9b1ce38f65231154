package linux

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Open opens a file for reading and never waits. It refuses a named pipe, whose writer may never come,
// and a socket. Below /dev and /proc it accepts pipes, which a shell or a caller has passed on. It also
// opens folders.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return checked(f, path)
}

// OpenIn is Open for a file in an open folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return checked(f, f.Name())
}

// ReadFile is os.ReadFile with the restrictions of Open.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func checked(f *os.File, path string) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/") {
		err = fmt.Errorf("%s is a named pipe; want a file (a pipe is read as /dev/stdin)", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
