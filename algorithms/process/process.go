// Package process runs any command as an algorithm: a run is one execution, from
// its start to its end.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"bench/framework"
	"bench/framework/config"
)

// outputTime is how long a process that the command left behind may hold its
// standard error open.
const outputTime = time.Second

// New is the factory of the config's command. Its one version is named as the
// program, and is of the config's processor: whose power counts.
func New(c *config.Config) (*framework.Factory, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("no command; want a program and its arguments")
	}
	processor := c.Processor
	if processor == "" {
		processor = framework.CPU
	}
	name := filepath.Base(c.Command[0])
	return &framework.Factory{
		Name:     name,
		Doc:      "command " + strings.Join(c.Command, " "),
		Source:   "a command, timed from its start to its end",
		External: true,
		Versions: []framework.Version{{
			Name: name, Doc: "command " + name, Source: "a command", Processor: processor,
			New: func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
				return &process{command: c.Command}, nil
			},
		}},
		HostBytes:  func(framework.Values) int64 { return 0 }, // the command's own
		NewProblem: func(framework.Env, framework.Values) (framework.Problem, error) { return none{}, nil },
	}, nil
}

// none is the problem: the command has its own.
type none struct{}

func (none) Close() {}

type process struct {
	command []string
	path    string
}

var _ framework.CPUAlgorithm = (*process)(nil)

// PreRun finds the program.
func (p *process) PreRun() (err error) {
	p.path, err = exec.LookPath(p.command[0])
	return err
}

// Run executes the command once, with nothing on standard input; what it prints is
// dropped. The error names the command and its exit status or signal, with its last
// line on standard error. It ends with the calling thread and, like what it starts,
// with the process group.
func (p *process) Run() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	said := &end{}
	cmd := exec.Command(p.path, p.command[1:]...)
	cmd.Args[0] = p.command[0]
	cmd.Stderr = said
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = outputTime
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // it ended well, what it left behind did not
		err = nil
	}
	if err == nil {
		return nil
	}
	if last := said.last(); last != "" {
		return fmt.Errorf("command %s: %w: %s", p.command[0], err, last)
	}
	return fmt.Errorf("command %s: %w", p.command[0], err)
}

// Verify checks nothing: that Run did not fail is all that is known.
func (*process) Verify() ([]framework.Check, error) { return nil, nil }

// Work is unknown.
func (*process) Work() framework.Work { return framework.Work{} }

// Workers is every CPU: the command uses those that it likes.
func (*process) Workers() int { return runtime.NumCPU() }

// PostRun has nothing to release.
func (*process) PostRun() error { return nil }

// end keeps the end of what is written.
type end struct{ kept []byte }

func (e *end) Write(b []byte) (int, error) {
	const most = 1024
	e.kept = append(e.kept, b...)
	if n := len(e.kept); n > most {
		e.kept = bytes.Clone(e.kept[n-most:])
	}
	return len(b), nil
}

// last is the last line that is not empty.
func (e *end) last() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(e.kept), "?")), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
