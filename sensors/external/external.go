// Package external reads watts from outside: from a program named by the
// config that prints a number per line (a wall meter's logger), or the seconds of
// the meter's clock and a number; or from a file with a number that is rewritten in
// place.
package external

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
)

// firstReading is how long Open waits for the program's first line.
const firstReading = 5 * time.Second

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name:      "external",
		OnRequest: true,
		Doc:       "watts from a program or a file that the config names, such as a wall meter's",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			var s *Sensor
			var err error
			switch x := env.External; {
			case x == nil || len(x.Command)+len(x.StampedCommand) == 0 && x.File == "":
				return nil, framework.NotHere(`no config says where to read: "sensors": [{"external": {"command": ["PROGRAM", "ARGUMENT"]}}], or {"file": "PATH"}`)
			case x.File != "":
				s, err = openFile(x.File)
			case x.Command != nil:
				s, err = start(x.Command, nil, firstReading)
			default:
				s, err = start(x.StampedCommand, &tie{now: clock()}, firstReading)
			}
			if err != nil {
				return nil, fmt.Errorf("external power: %w", err)
			}
			s.role = framework.Total
			if env.HasTotal {
				s.role = framework.Carrier
				s.notes = append(s.notes, "another sensor measures the total: this one is not added to it")
			}
			if s.tie != nil {
				return &stamped{Sensor: s}, nil
			}
			return s, nil
		},
	}
}

// Sensor is one number in watts.
type Sensor struct {
	role  framework.Role
	notes []string

	file *os.File
	text [64]byte

	cmd    *exec.Cmd
	latest atomic.Uint64 // bits of a float64: the line read last
	tie    *tie          // of lines with a time; else nil
	ended  atomic.Pointer[error]
	done   chan struct{}
}

// openFile opens a file without blocking: opening a pipe would block until somebody writes to it, and a
// device perhaps forever.
func openFile(path string) (*Sensor, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() && mode&fs.ModeCharDevice == 0 {
		return nil, fmt.Errorf("%s is %s, no file with a number that is rewritten in place%s", path, kind(mode), insteadOf(path, mode))
	}
	f, err := os.OpenFile(path, os.O_RDONLY|linux.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	s := &Sensor{file: f}
	if _, err := s.fromFile(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// kind returns what a path is if it is not a file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a block device"
}

// insteadOf says how to read a path that gives each line only once.
func insteadOf(path string, mode fs.FileMode) string {
	if mode&fs.ModeNamedPipe == 0 {
		return ""
	}
	return fmt.Sprintf(`; as a program: "command": ["cat", %q]`, path)
}

// start runs the program until Close, or until this process is gone.
func start(command []string, t *tie, wait time.Duration) (*Sensor, error) {
	s := &Sensor{cmd: exec.Command(command[0], command[1:]...), tie: t, done: make(chan struct{})}
	s.latest.Store(math.Float64bits(math.NaN()))
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := linux.Start(s.cmd); err != nil {
		return nil, err
	}
	first := make(chan struct{})
	go s.follow(out, first)
	select {
	case <-first:
		return s, nil
	case <-s.done:
		return nil, *s.ended.Load()
	case <-time.After(wait):
		return nil, errors.Join(fmt.Errorf("%s printed no number within %v", command[0], wait), s.Close())
	}
}

// mostLine is far more than a meter prints for a number.
const mostLine = 64 << 10

// follow keeps the number in the latest line, and reports the first line.
func (s *Sensor) follow(out io.Reader, first chan struct{}) {
	lines := bounded.NewLines(out, "", mostLine)
	var bad error
	for n := 1; ; n++ {
		line, err := lines.Read()
		if errors.Is(err, bounded.ErrBeyond) {
			bad = err
			linux.EndTree(s.cmd.Process.Pid) // it would wait for a reader
			break
		}
		if err != nil && len(line) == 0 {
			break
		}
		text := strings.TrimRight(string(line), "\r\n")
		if s.tie != nil {
			err = s.tie.line(n, text)
		} else {
			var w float64
			if w, err = parse(text); err == nil {
				s.latest.Store(math.Float64bits(w))
			}
		}
		if err != nil {
			bad = err
			continue
		}
		if first != nil {
			close(first)
			first = nil
		}
	}
	s.cmd.Wait() //nolint:errcheck // its state tells more: "exit status 0" too
	linux.Ended(s.cmd)
	err := fmt.Errorf("%s ended (%v)", s.cmd.Path, s.cmd.ProcessState)
	if bad != nil {
		err = fmt.Errorf("%w after a line that is no reading: %w", err, bad)
	}
	s.ended.Store(&err)
	close(s.done)
}

// parse reads the first word of a line: a number of watts from 0. All bits set are none.
func parse(line string) (float64, error) {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	w, err := strconv.ParseFloat(word, 64)
	if err != nil || w < 0 || math.IsNaN(w) || machine.AllBits(w) || w >= math.MaxInt64 {
		return 0, fmt.Errorf("%.100q is not a number of watts", line)
	}
	return w, nil
}

func (s *Sensor) fromFile() (float64, error) {
	n, err := s.file.ReadAt(s.text[:], 0)
	if n == 0 {
		return math.NaN(), fmt.Errorf("%s: no value: %w", s.file.Name(), err)
	}
	w, err := parse(string(s.text[:n]))
	if err != nil {
		return math.NaN(), fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	return w, nil
}

// Name is "external".
func (s *Sensor) Name() string { return "external" }

// Channels returns the one channel: the board's total, or an addition to the total that another sensor
// measures.
func (s *Sensor) Channels() []framework.Channel {
	return []framework.Channel{{Name: "power", Unit: "W", Role: s.role}}
}

// Sample reads the file's number, or the program's latest. It returns an error once the program has ended.
func (s *Sensor) Sample(dst []float64) error {
	var err error
	if s.file != nil {
		dst[0], err = s.fromFile()
		return err
	}
	if err := s.ended.Load(); err != nil {
		return *err
	}
	dst[0] = math.Float64frombits(s.latest.Load())
	return nil
}

// Notes says whether another sensor has the total.
func (s *Sensor) Notes() []string { return s.notes }

// Close ends the program with all that it started, or closes the file.
func (s *Sensor) Close() error {
	if s.file != nil {
		return s.file.Close()
	}
	linux.EndTree(s.cmd.Process.Pid)
	<-s.done
	return nil
}
