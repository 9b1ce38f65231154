package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"example.org/bench/command/fleet"
	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
	"example.org/bench/plots"
)

type fleetFlags struct {
	choices
	hosts, binaries []string
	folder, ssh     string
	repeats         int

	slurm, submit  bool
	split, profile string
	sbatch         []string
	concurrent     int

	noPlots bool

	given fleet.Given // those of the flags that were set
}

// fleetGiven returns the flags --ssh and --folder if they are set.
func fleetGiven(cmd *cobra.Command) (g fleet.Given) {
	if words := cmd.Flags().Lookup("ssh"); words.Changed {
		g.SSH = strings.Fields(words.Value.String())
	}
	if folder := cmd.Flags().Lookup("folder"); folder.Changed {
		g.Folder = folder.Value.String()
	}
	return g
}

func (a *app) fleetCommand() *cobra.Command {
	var f fleetFlags
	cmd := &cobra.Command{
		Use:   "fleet CONFIG... --hosts HOST,HOST... --out DIR",
		Short: "Run configs on boards by ssh, follow them, and join what they measured",
		Long: `Fleet runs configs on every host, with OpenSSH's own program and configuration: it
copies this program for the board's processor, the configs and the files that they
name, and checks the version there. A board measures for one fleet at a time; another
waits. Journals come here as they grow, to DIR/boards/HOST, and at the end all results;
the folder on the board is then removed. What the boards measured of a config is merged
into DIR/PREFIX (bench merge).

A run goes on on its board without a connection, also after an interrupt here: the
connection is made again, and so it is by bench fleet --resume --out DIR. bench fleet
status, fetch and stop look, bring what there is, and end the runs.

The program for another processor is one of --binary, bench-arm64 (or bench-amd64)
beside this program, or in an archive of make dist.

With --slurm nothing runs here: the tasks of a job array run the configs, or with --split
a part of the sweep each, on the nodes, into DIR/tasks. DIR/slurm has the arrays' scripts,
which a person can read and submit, or --submit does; after MaxArraySize tasks a new one
begins. A task that is preempted, requeued or at its time limit goes on from the points
that it has. --resume --submit submits tasks anew that did not complete. bench fleet fetch
merges what there is.

EXIT STATUS
  0    every board's runs ended with status 0
  1    a run ended with another status, or a board was not reached or not fetched
  2    bad config or usage
  130  interrupted; the runs go on on the boards`,
		Example: `  bench fleet configs/fft.json --hosts tx2a,orin1,orin2 --out results/shelf
  bench fleet --resume --out results/shelf
  bench fleet status results/shelf
  bench fleet configs/fft.json --slurm --split N --sbatch --gres=gpu:1 --out results/cluster --submit`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkRepeats(cmd, f.repeats); err != nil {
				return err
			}
			f.given = fleetGiven(cmd)
			return a.fleet(cmd.Context(), args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.hosts, "hosts", nil, "hosts as ssh takes them, with commas")
	flags.StringArrayVar(&f.binaries, "binary", nil, "this program for another processor; may be given more than once")
	flags.StringVar(&f.folder, "folder", fleet.DefaultFolder, "folder on the boards, from the home folder on or absolute")
	flags.StringVar(&f.ssh, "ssh", fleet.DefaultSSH, "OpenSSH's program, with options such as -F FILE")
	flags.IntVar(&f.repeats, "repeats", 0, "instances of each point (default measure.repeats, or 1)")
	flags.BoolVar(&f.slurm, "slurm", false, "write job arrays for Slurm instead; the folder must be one that its nodes share")
	flags.BoolVar(&f.submit, "submit", false, "submit the job arrays")
	flags.StringVar(&f.split, "split", "", "axis of the configs' sweeps: a task for each of its values (default a task for each config)")
	flags.StringArrayVar(&f.sbatch, "sbatch", nil, "option of sbatch, such as --gres=gpu:1; may be given more than once")
	flags.StringVar(&f.profile, "profile", "", "file with options of sbatch, a line each, such as partition and account")
	flags.IntVar(&f.concurrent, "concurrent", 0, "tasks of an array that run at once (default as many as can)")
	flags.BoolVar(&f.noPlots, "no-plots", false, noPlotsMeaning)
	for _, name := range []string{"submit", "split", "sbatch", "profile", "concurrent"} {
		grammar.Needs(cmd, name, "slurm")
	}
	grammar.Excludes(cmd, "slurm", "hosts", "binary", "folder", "ssh", "no-plots")
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.CPU)
	f.flag(cmd, "set", "versions", "processor", "out: folder for the results", "new-seed", "resume: go on with the fleet's run in the folder", "verify", "quiet")
	grammar.Excludes(cmd, "resume", "hosts", "binary", "repeats", "set", "versions", "processor", "seed", "verify", "device")
	for _, verb := range []struct {
		name, short, long string
		run               func(context.Context, *fleet.Fleet) error
	}{
		{"status", "Say how far each board is", "Status asks every board how far it is, and brings its journal so far.", func(ctx context.Context, f *fleet.Fleet) error {
			lines, asked := f.Report(ctx)
			for _, line := range lines {
				fmt.Fprintln(a.out, line)
			}
			if !asked {
				return &statusError{exitBad, nil}
			}
			return nil
		}},
		{"fetch", "Bring what the boards have", "Fetch brings the journals so far, and all results of boards that are done, whose folder\nthere is removed.", func(ctx context.Context, f *fleet.Fleet) error { return f.Fetch(ctx) }},
		{"stop", "End the runs on the boards", "Stop ends the runs; what they have measured stays there until bench fleet --resume or\nfetch brings it.", func(ctx context.Context, f *fleet.Fleet) error { return f.StopAll(ctx) }},
	} {
		var noPlots bool
		var ssh, folder string
		below := &cobra.Command{Use: verb.name + " DIR", Short: verb.short, Long: verb.long + `

EXIT STATUS
  0    every board was reached
  1    a board was not, or what it has could not be written
  2    bad usage, or DIR holds no fleet's run
  130  interrupted`, Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				if fleet.HoldsArray(args[0]) {
					array, err := fleet.OpenArray(args[0], a.sayer())
					if err != nil {
						return usageError(err)
					}
					defer array.Close()
					return fleetError(cmd.Context(), a.arrayVerb(cmd.Context(), verb.name, array, args[0], noPlots))
				}
				f, err := fleet.Open(args[0], fleetGiven(cmd), a.sayer())
				if err != nil {
					return usageError(err)
				}
				defer f.Close()
				f.Wrong = a.note
				return fleetError(cmd.Context(), verb.run(cmd.Context(), f))
			}}
		below.Flags().StringVar(&ssh, "ssh", "", "OpenSSH's program, with options (default what this user's run was begun with, or ssh)")
		below.Flags().StringVar(&folder, "folder", "", "folder on the boards (default likewise)")
		if verb.name == "fetch" {
			below.Flags().BoolVar(&noPlots, "no-plots", false, noPlotsMeaning)
		}
		cmd.AddCommand(below)
	}
	return cmd
}

// sayer returns a function that prints whole lines of several boards.
func (a *app) sayer() func(format string, args ...any) {
	var mutex sync.Mutex
	return func(format string, args ...any) {
		mutex.Lock()
		defer mutex.Unlock()
		fmt.Fprintf(a.out, format+"\n", args...)
	}
}

// fleetError gives the error of a fleet's run its exit status.
func fleetError(ctx context.Context, err error) error {
	var known *statusError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &statusError{exitInterrupted, errors.New("interrupted: what runs on the boards goes on")}
	case errors.As(err, &known):
		return err
	}
	return &statusError{exitBad, errors.New(strings.ReplaceAll(err.Error(), "\n", "\nbench: "))}
}

func (a *app) fleet(ctx context.Context, configs []string, f fleetFlags) error {
	if f.quiet {
		a = a.quietly()
	}
	if f.out == "" {
		return usageError(errors.New("--out is missing: want the folder for the fleet's results"))
	}
	if f.slurm {
		return a.fleetSlurm(ctx, configs, f)
	}
	run, err := a.openFleet(ctx, configs, f)
	if err != nil {
		return err
	}
	defer run.Close()
	run.Wrong = a.note
	if err := fleetError(ctx, run.Run(ctx)); err != nil {
		return err
	}
	if err := a.mergeFleet(ctx, run, run.Dir(), f.noPlots); err != nil {
		return fleetError(ctx, err)
	}
	if s := run.Status(); s != exitGood {
		return &statusError{exitBad, nil}
	}
	return nil
}

// measured is what boards or nodes measured, by config.
type measured interface {
	Prefixes() []string
	Results(prefix string) ([]record.Part, error)
}

// mergeFleet merges the measurements of each config. A signal ends it at once, because plots of many
// points take long.
func (a *app) mergeFleet(ctx context.Context, all measured, dir string, noPlots bool) error {
	for _, prefix := range all.Prefixes() {
		parts, err := all.Results(prefix)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		err = interrupt.AtOnce(ctx, func(context.Context) error {
			return a.mergeParts(parts, mergeFlags{out: filepath.Join(dir, prefix), noPlots: noPlots, medium: plots.Screen})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// openFleet plans a fleet's run, or opens the one that is under way.
func (a *app) openFleet(ctx context.Context, configs []string, f fleetFlags) (*fleet.Fleet, error) {
	if f.resume {
		if len(configs) > 0 {
			return nil, usageError(errors.New("--resume goes on with the configs of the fleet's run: name none"))
		}
		run, err := fleet.Open(f.out, f.given, a.sayer())
		if err != nil {
			return nil, usageError(err)
		}
		return run, nil
	}
	switch {
	case len(configs) == 0:
		return nil, usageError(errors.New("no config: want at least one, or --resume"))
	case len(f.hosts) == 0 && !f.slurm:
		return nil, usageError(errors.New("--hosts is missing: want the boards' names as ssh takes them, with commas"))
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if fleet.Holds(f.out) {
		return nil, usageError(fmt.Errorf("%s holds a fleet's run: --resume goes on with it, or name another folder", f.out))
	}
	words := strings.Fields(f.ssh)
	if len(words) == 0 {
		return nil, usageError(errors.New("--ssh is empty; want ssh, or a path to it"))
	}
	plan := fleet.Plan{SSH: words, Folder: f.folder, Hosts: f.hosts, Binaries: f.binaries}
	for _, path := range configs {
		_, planned, err := a.fleetConfig(ctx, path, f)
		if err != nil {
			return nil, err
		}
		plan.Configs = append(plan.Configs, planned)
	}
	run, err := fleet.New(f.out, plan, a.sayer())
	if err != nil {
		return nil, usageError(err)
	}
	return run, nil
}

// fleetConfig checks a config here, because its mistakes would show on every machine.
func (a *app) fleetConfig(ctx context.Context, path string, f fleetFlags) (*config.Config, fleet.PlannedConfig, error) {
	if path == "-" {
		return nil, fleet.PlannedConfig{}, usageError(errors.New("a fleet's config must be a file"))
	}
	if _, _, err := a.validateFile(ctx, path, f.choices); err != nil {
		return nil, fleet.PlannedConfig{}, openError(err)
	}
	s, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return nil, fleet.PlannedConfig{}, err
	}
	return s.Config, fleet.PlannedConfig{Path: path, Prefix: s.Config.Prefix, Flags: f.runFlags()}, nil
}

// runFlags returns the flags of bench run on the boards.
func (f fleetFlags) runFlags() []string {
	list := []string{"--processor", f.Processor, "--seed", strconv.FormatUint(cmp.Or(f.Seed, record.NewSeed()), 10), "--verify", string(f.Verify)}
	if f.Device != "" {
		list = append(list, "--device", f.Device)
	}
	for _, s := range f.set {
		list = append(list, "--set", s)
	}
	if len(f.versions) > 0 {
		list = append(list, "--versions", strings.Join(f.versions, ","))
	}
	if f.repeats > 0 {
		list = append(list, "--repeats", strconv.Itoa(f.repeats))
	}
	return list
}
