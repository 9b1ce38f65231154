package executable

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// Command returns the factory of the config's command, which reports nothing: a run is one execution, from
// its start to its end. The one version is named after the program. It runs on the config's processor, whose
// power counts.
func Command(c *config.Config) (*framework.Factory, error) {
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
			Available: func() error {
				_, err := exec.LookPath(c.Command[0])
				if err != nil && len(c.Command) == 1 && strings.ContainsAny(c.Command[0], " ;|&<>$") {
					return fmt.Errorf("%w; a line for a shell goes so: -- sh -c '…'", err)
				}
				return err
			},
			New: func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
				return &command{words: c.Command, leftovers: leftovers{env: env}}, nil
			},
		}},
		HostBytes:  func(framework.Values) int64 { return 0 }, // the command allocates its own
		NewProblem: func(framework.Env, framework.Values) (framework.Problem, error) { return none{}, nil },
	}, nil
}

// none is the empty problem: the command makes its own.
type none struct{}

func (none) Close() {}

type command struct {
	words     []string
	path      string
	leftovers leftovers
}

var _ framework.CPUAlgorithm = (*command)(nil)

// PreRun finds the program.
func (p *command) PreRun() (err error) {
	p.path, err = exec.LookPath(p.words[0])
	return err
}

// Run executes the command once. Standard input is empty and standard output is dropped. The error names the
// command, its exit status or signal, and its last line on standard error. The command is ended with the
// calling thread, and its children with the command.
func (p *command) Run() error {
	said := &tail{}
	cmd := exec.Command(p.path, p.words[1:]...)
	cmd.Args[0] = p.words[0]
	cmd.Stderr = said
	err := p.leftovers.run(context.Background(), cmd)
	if errors.Is(err, exec.ErrWaitDelay) { // the command exited with 0, but another process holds its output open
		err = nil
	}
	if err == nil {
		return nil
	}
	if last := said.last(); last != "" {
		return fmt.Errorf("command %s: %w: %s", p.words[0], err, last)
	}
	return fmt.Errorf("command %s: %w", p.words[0], err)
}

// Verify returns no checks: all that is known is that Run did not fail.
func (*command) Verify() ([]framework.Check, error) { return nil, nil }

// Work returns zero, since the work is unknown.
func (*command) Work() framework.Work { return framework.Work{} }

// Workers returns the number of CPUs: the command uses as many as it likes.
func (*command) Workers() int { return runtime.NumCPU() }

// PostRun reports the processes that the executions left behind.
func (p *command) PostRun() error {
	p.leftovers.tell()
	return nil
}
