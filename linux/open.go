package linux

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Open opens a file to read it, and waits for nothing: a named pipe, whose writer may never
// come, is refused, as is a socket. Below /dev and /proc pipes are what a shell or a caller
// has passed on. A folder is opened.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return checked(f, path)
}

// OpenIn is Open of a file in a folder that is held.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return checked(f, f.Name())
}

// ReadFile is os.ReadFile of what Open opens.
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
