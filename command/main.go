// Package command is the command line of bench. Each verb has a file with its flags, its help and the
// calls to the packages that do the work and word the results; this package prints them and sets the exit
// status. Main is the only entry of a program, so that another one with more algorithms is the same tool.
package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"example.org/bench/algorithms/executable"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/analysis/why"
	"example.org/bench/command/completion"
	"example.org/bench/command/crash"
	"example.org/bench/command/grammar"
	"example.org/bench/command/help"
	"example.org/bench/command/interrupt"
	"example.org/bench/command/serve"
	"example.org/bench/command/trees"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
)

// The exit statuses, which are a contract.
const (
	exitGood        = 0   // all points good
	exitBad         = 1   // some failed, wrong or timed out, or another failure
	exitUsage       = 2   // a bad config or bad usage
	exitInterrupted = 130 // interrupted; results so far are kept
)

// exitHelp is the help on bench run's exit statuses; the other verbs state their own.
const exitHelp = `
EXIT STATUS
  0    every point is ok or skipped
  1    a point failed, was wrong or timed out, none was ok, or results could not be kept
  2    bad config or usage
  130  interrupted; results so far are kept`

// statusError carries an exit status. A nil err prints nothing.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// failure gives an error, if there is one, the exit status of a failure.
func failure(err error) error {
	if err == nil {
		return nil
	}
	return &statusError{exitBad, err}
}

func usageError(err error) error { return &statusError{exitUsage, err} }

// app is what the verbs share.
type app struct {
	registry *framework.Registry
	out, err io.Writer
	unread   <-chan struct{} // receives a value when nobody reads the output any more
}

// Main runs the command line of this process with these algorithms and sensors, and exits. sources are
// what the algorithms, sensors and the measuring are built from. With them, another program of the same
// sources may resume a run; without them, only this program may.
func Main(algorithms []*framework.Factory, sensors []framework.SensorFactory, sources ...fs.FS) {
	words, traces := "bench: internal error: ", os.TempDir()
	if len(os.Args) > 1 && (os.Args[1] == workerVerb || os.Args[1] == engine.BesideVerb) {
		words, traces = "", "" // the parent reports what became of it
	}
	crash.OneLine(words, traces)
	if err := linux.Enough(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(exitBad)
	}
	linux.Heed()
	linux.Watch()
	record.MadeOf(sources...)
	// A signal that ends a session or a pipe must also leave a board in its power mode.
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // ignored under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	// Without this, SIGPIPE ends the process. It comes for every pipe, even that of a worker that is
	// gone. The printers notice when nobody reads.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	unread := make(chan struct{}, 1)
	a := &app{registry: framework.NewRegistry(algorithms, sensors), out: terminal.NewPrinter(os.Stdout, unread), err: terminal.NewPrinter(os.Stderr, unread), unread: unread}
	safefile.Exit(a.run(ctx, os.Args[1:]))
}

// Accepts says what this program has against the flags of a verb, of which it does nothing.
func Accepts(algorithms []*framework.Factory, sensors []framework.SensorFactory, verb string, flags ...string) error {
	var said bytes.Buffer
	a := &app{registry: framework.NewRegistry(algorithms, sensors), out: io.Discard, err: &said}
	if status := a.run(context.Background(), append([]string{verb, "--help"}, flags...)); status != exitGood {
		return errors.New(said.String())
	}
	return nil
}

// run executes one command line and returns the exit status.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	defer trees.Remove()
	err := root.ExecuteContext(ctx)
	for _, line := range engine.Left() {
		a.warn("%s", line)
	}
	failed := terminal.End(a.out)
	if errors.Is(failed, syscall.EPIPE) { // head and the like have what they want
		failed = nil
	}
	if err == nil && failed == nil {
		return exitGood
	}
	var s *statusError
	switch {
	case err != nil && errors.As(err, &s) && (s.err != nil || failed == nil):
	case errors.Is(err, engine.ErrInterrupted):
		s = &statusError{exitInterrupted, engine.ErrInterrupted}
	case failed != nil:
		s = &statusError{exitBad, fmt.Errorf("standard output: %w", failed)}
	default:
		s = &statusError{exitUsage, err} // from cobra: unknown flag or verb
	}
	if msg := s.Error(); msg != "" {
		fmt.Fprintln(a.err, "bench:", msg)
	}
	_ = terminal.End(a.err) // there is nowhere to report it
	return s.status
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Measure kernels: time, FLOPs, bytes, power and energy, every result verified",
		Long: `bench measures kernels on embedded and server GPUs and on CPUs: time, FLOPs, bytes,
power and energy in one sweep, every result verified against a reference.`,
		Example: `  bench run configs/fft.json       measure, write CSVs and plots to results/fft
  bench plan configs/fft.json      what would run
  bench list fft                   versions, parameters, tunables, counted formulas
  bench doctor                     what was found on this machine, and what is missing
  bench help csv                   what the columns of the results are; help json: the keys of --json`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              grammar.KnownVerb,
		PersistentPreRunE: grammar.Check,
		Version:           record.ThisTool().Version,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetVersionTemplate(record.ThisTool().Line())
	root.SetFlagErrorFunc(grammar.Suggest)
	root.AddCommand(a.doctorCommand(), a.modesCommand(), a.newCommand(), a.schemaCommand(), a.versionCommand(), a.manCommand(), a.workerCommand(), a.besideCommand())
	for _, verb := range []*cobra.Command{a.runCommand(), a.energyCommand(), a.replayCommand(), a.sensorsCommand(), a.verifyCommand(), a.abCommand(), a.judgeCommand(), serve.Command(a.serve), a.tuneCommand(), a.whyCommand(), a.boardCommand(), a.fleetCommand()} {
		root.AddCommand(interrupt.EndsWithReader(verb, a.unread))
	}
	for _, verb := range []*cobra.Command{a.planCommand(), a.validateCommand(), a.listCommand(), a.plotCommand(), a.compareCommand(), a.reportCommand(), a.mergeCommand(), a.historyCommand(),
		a.importCommand(), a.exportCommand(), a.transferCommand(), a.predictCommand(), a.boardsCommand()} {
		root.AddCommand(interrupt.EndsAtOnce(verb))
	}
	completion.Program{Registry: a.registry, Versions: a.versionsOf, Formats: exportFormats(), Refuse: usageError}.Add(root)
	root.InitDefaultHelpCmd()
	grammar.Arguments(root)
	help.Arrange(root)
	if runtime.GOOS != "linux" {
		readOnly(root, runtime.GOOS)
	}
	return root
}

// factory returns the algorithm that a config asks for.
func (a *app) factory(c *config.Config) (*framework.Factory, error) {
	switch {
	case c.Command != nil:
		return executable.Command(c)
	case c.Executable != "":
		return executable.New(c)
	case c.HasKernels():
		return kernel.New(c)
	}
	if f := a.registry.Algorithm(c.Algorithm); f != nil {
		return f, nil
	}
	return nil, c.UnknownAlgorithm(a.registry.Names())
}

func (a *app) plugins() engine.Plugins {
	return engine.Plugins{Factory: a.factory, Sensors: a.registry.Sensors(), Picture: plots.Mismatch, Operations: []engine.Operation{why.Operation()}}
}

// besideCommand returns the verb that a worker starts; it is not for users.
func (a *app) besideCommand() *cobra.Command {
	return &cobra.Command{
		Use:    engine.BesideVerb + " LOAD",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE:   func(_ *cobra.Command, args []string) error { return engine.ServeBeside(os.Stdin, os.Stdout, args[0]) },
	}
}

// workerVerb is the argument of a worker, which the engine starts.
const workerVerb = "worker"

// workerCommand returns the verb that the engine starts; it is not for users.
func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    workerVerb + " [DIR]",
		Hidden: true,
		Args:   cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 { // under a profiler
				return engine.ServeFiles(args[0], a.plugins())
			}
			return engine.ServeParent(a.plugins(), exitGood)
		},
	}
}
