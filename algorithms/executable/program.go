package executable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unicode"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/internal/linux"
)

// places returns where a program may be: relative to the working directory, or else to the config's folder.
func places(cfg *config.Config, name string) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	return []string{name, filepath.Join(filepath.Dir(cfg.Path), name)}
}

// find returns the absolute path of the config's program of that name.
func find(cfg *config.Config, name string) (string, error) {
	for _, p := range places(cfg, name) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", fmt.Errorf("program %w", err)
		case info.IsDir():
			return "", fmt.Errorf("program %s is a folder; want an executable file", p)
		case info.Mode()&0o111 == 0:
			return "", fmt.Errorf("program %s is not executable; chmod +x makes it", p)
		}
		return filepath.Abs(p)
	}
	return "", fmt.Errorf("program %s does not exist, neither from the working directory nor beside the config; build it or correct \"executable\"", name)
}

// execute runs the program once and reads its report. An error names the program and is one line.
func (a *algorithm) execute(run []config.Argument) (report, error) {
	args := append([]string{}, a.args...)
	for _, s := range run {
		args = append(args, s.Name, a.settings.expand(s.Value.String()))
	}
	limit := time.Duration(a.cfg.Measure.Timeout * float64(time.Second))
	ctx, cancel := linux.WithRunningTime(context.Background(), limit)
	defer cancel()

	out, complaints := &lines{}, &tail{}
	cmd := exec.Command(a.path, args...)
	cmd.Stdout, cmd.Stderr = out, complaints
	err := a.leftovers.run(ctx, cmd)
	switch {
	case ctx.Err() != nil:
		return report{}, a.blame(fmt.Errorf("ran longer than %g s (timeout_s) and %w", a.cfg.Measure.Timeout, framework.ErrTimeout))
	case errors.Is(err, exec.ErrWaitDelay):
		return report{}, a.blame(errors.New("gave its output to a process that it did not start and that holds it open"))
	case err != nil:
		return report{}, a.blame(reason(err, complaints))
	}
	r, err := out.report()
	if err != nil {
		return report{}, a.blame(err)
	}
	return r, nil
}

// blame prefixes an error with the program's name.
func (a *algorithm) blame(err error) error {
	return fmt.Errorf("program %s: %w", a.settings.expand(a.cfg.Executable), err)
}

// reason returns how the program failed, with its last line on standard error.
func reason(err error, complaints *tail) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		if errors.Is(err, syscall.ENOEXEC) {
			return fmt.Errorf("cannot be started: %w; want a program for %s, or a script with a #! line", err, runtime.GOARCH)
		}
		return fmt.Errorf("cannot be started: %w", err)
	}
	how := exit.Error()
	if last := complaints.last(); last != "" {
		return fmt.Errorf("%s: %s", how, last)
	}
	return fmt.Errorf("%s, and nothing on stderr", how)
}

// tail is a writer that keeps the end of what is written.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	const most = 4096
	t.kept = append(t.kept, b...)
	if n := len(t.kept); n > most {
		t.kept = append(t.kept[:0], t.kept[n-most:]...)
	}
	return len(b), nil
}

// last returns the last line that is not empty, without control characters.
func (t *tail) last() string {
	all := strings.Split(strings.ToValidUTF8(string(t.kept), "?"), "\n")
	for i := len(all) - 1; i >= 0; i-- {
		line := strings.TrimSpace(strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return ' '
			}
			return c
		}, all[i]))
		if r := []rune(line); len(r) > 300 {
			line = string(r[:300]) + "…"
		}
		if line != "" {
			return line
		}
	}
	return ""
}

// maxLine bounds a line of JSON, in bytes.
const maxLine = 16 << 20

// lines is a writer that keeps the lines of a program's output that start with a brace.
type lines struct {
	line  []byte // so far; empty once the line is no candidate
	other bool   // the line is no candidate
	long  bool   // a candidate was longer than maxLine
	kept  [][]byte
}

func (l *lines) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		part, rest, ended := bytes.Cut(b, []byte("\n"))
		l.add(part)
		if ended {
			l.end()
		}
		b = rest
	}
	return n, nil
}

func (l *lines) add(part []byte) {
	if l.other {
		return
	}
	if len(l.line) == 0 {
		part = bytes.TrimLeft(part, " \t\r")
	}
	if len(part) == 0 {
		return
	}
	l.line = append(l.line, part...)
	switch {
	case l.line[0] != '{':
		l.line, l.other = l.line[:0], true
	case len(l.line) > maxLine:
		l.line, l.other, l.long = nil, true, true
	}
}

func (l *lines) end() {
	// Two are enough to know that there is more than one.
	if line := bytes.TrimSpace(l.line); len(line) > 0 && len(l.kept) < 2 {
		l.kept = append(l.kept, bytes.Clone(line))
	}
	l.line, l.other = l.line[:0], false
}

// report parses the only line of JSON in the output.
func (l *lines) report() (report, error) {
	l.end()
	switch {
	case l.long:
		return report{}, fmt.Errorf("prints a line of more than %d MiB; want one short line of JSON", maxLine>>20)
	case len(l.kept) == 0:
		return report{}, errors.New("prints no line of JSON; want one such as " + sample)
	case len(l.kept) > 1:
		return report{}, errors.New("prints more than one line that starts with a brace; want one line of JSON")
	}
	return parse(l.kept[0])
}
