package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
)

// hostName matches what OpenSSH takes for a host, and a shell for a word in a folder's
// name: no option and no white space.
var hostName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9_.@:%+-]*$`)

// CheckHost refuses what is no host's name.
func CheckHost(name string) error {
	if !hostName().MatchString(name) {
		return fmt.Errorf("%q is not the name of a host; want one as ssh takes it, such as orin1 or user@10.0.0.7", name)
	}
	return nil
}

// ssh runs commands on one host by OpenSSH's program.
type ssh struct {
	words []string // of the program, with its options
	host  string
}

// errConnection says that ssh itself failed (ssh(1): status 255), or that it was ended.
var errConnection = errors.New("the connection failed")

// command returns the command that runs remote in the host's login shell.
func (s ssh) command(ctx context.Context, remote string) *exec.Cmd {
	// A password is not asked for, and a connection that is lost ends within a minute.
	args := append(s.words[1:len(s.words):len(s.words)], "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "-T", s.host, remote)
	cmd := exec.CommandContext(ctx, s.words[0], args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs a command on the host and returns what it printed.
func (s ssh) run(ctx context.Context, remote string, in io.Reader) (string, error) {
	cmd := s.command(ctx, remote)
	cmd.Stdin = in
	out, said, err := bounded.Output(cmd, bounded.MostText)
	if err != nil {
		return "", s.failed(ctx, err, said)
	}
	return string(out), nil
}

// failed returns an error that says why a command failed.
func (s ssh) failed(ctx context.Context, err error, said []byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := lastLine(said)
	if why == "" {
		why = err.Error()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != 255 && exit.Exited() {
		return fmt.Errorf("%s: %s", s.host, why)
	}
	return fmt.Errorf("%s: %w: %s", s.host, errConnection, why)
}

// quote returns word quoted for a POSIX shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// pack writes files as a tar archive: this program, the job, and others by their names
// there.
func pack(w io.Writer, program io.Reader, size int64, job []byte, files map[string]string) error {
	t := tar.NewWriter(w)
	add := func(name string, mode int64, size int64, r io.Reader) error {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: size, Typeflag: tar.TypeReg, ModTime: time.Now()}); err != nil {
			return err
		}
		_, err := io.Copy(t, r)
		return err
	}
	if err := add(programFile, 0o755, size, program); err != nil {
		return err
	}
	if err := add(jobFile, 0o644, int64(len(job)), bytes.NewReader(job)); err != nil {
		return err
	}
	for name, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		fi, err := f.Stat()
		if err == nil {
			err = add(name, int64(fi.Mode().Perm()), fi.Size(), f)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return t.Close()
}

// mostFetched bounds the results of a board: ten million samples have 200 MB.
const mostFetched = 64 << 30

// unpack writes the ordinary files of a tar archive below a folder that has none of them; no
// name and no link leads out of it.
func unpack(r io.Reader, to *safefile.Folder) error {
	for t := tar.NewReader(bounded.Reader(r, "what the board sends", mostFetched)); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for key := range h.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") { // a few bytes make a file of any size
				return fmt.Errorf("%q is a sparse file, which bench on a board does not send", h.Name)
			}
		}
		name := filepath.Clean(h.Name)
		if h.Typeflag != tar.TypeDir && h.Typeflag != tar.TypeReg || name == "." {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q is not in the folder of the board's job", h.Name)
		}
		if err := put(to, name, h.Typeflag == tar.TypeDir, t); err != nil {
			return err
		}
	}
}

// put makes a folder below another, or a file that is not there yet.
func put(to *safefile.Folder, name string, folder bool, content io.Reader) error {
	names := strings.Split(name, string(filepath.Separator))
	file := ""
	if !folder {
		names, file = names[:len(names)-1], names[len(names)-1]
	}
	if len(names) > 0 {
		below, err := within(to, names...)
		if err != nil {
			return err
		}
		defer below.Close()
		to = below
	}
	if folder {
		return nil
	}
	f, err := to.Open(file, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
