package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/completion"
	"example.org/bench/command/grammar"
	"example.org/bench/command/trees"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/plots"
)

// choices are the flags that mean the same for every verb that has them.
type choices struct {
	experiment.Options // Verify, if set before its flag is added, is the verb's default

	set      []string
	versions []string
	out      string
	resume   bool
	modes    string // --power-modes
	medium   plots.Medium
	plotless bool   // no plots are drawn
	wisdom   string // "" for the default file, if it exists, and "none"
	json     bool
	quiet    bool

	kinds grammar.Devices // that the verb accepts
}

// flag adds the flags of these names to a verb. A name may be followed by the flag's meaning for this
// verb: "out: folder for the results".
func (f *choices) flag(cmd *cobra.Command, names ...string) {
	flags := cmd.Flags()
	for _, entry := range names {
		name, usage, _ := strings.Cut(entry, ": ")
		say := func(general string) string {
			if usage != "" {
				return usage
			}
			return general
		}
		switch name {
		case "set":
			flags.StringArrayVar(&f.set, name, nil, say("NAME=VALUE,VALUE… or NAME=FROM..TO: replace an axis, a static argument or a tunable of the config"))
		case "versions":
			flags.StringSliceVar(&f.versions, name, nil, say("versions that take part, with commas (default the config's)"))
		case "each":
			flags.BoolVar(&f.Each, name, false, say("every point on each of several GPUs, to compare them, instead of sharing the points out"))
			grammar.Needs(cmd, name, "device")
		case "processor":
			flags.StringVar(&f.Processor, name, "auto", say("auto, CPU or GPU: which versions take part"))
		case "out":
			flags.StringVarP(&f.out, name, "o", "", say("folder for the results"))
		case "seed":
			flags.Uint64Var(&f.Seed, name, 1, say("seed of the random inputs"))
		case "new-seed":
			flags.Uint64Var(&f.Seed, "seed", 0, say("seed of the random inputs, from 1 (default: a new one each time, which the results keep)"))
		case "resume":
			flags.BoolVar(&f.resume, name, false, say("continue an interrupted run"))
		case "root":
			flags.StringVar(&f.Root, name, "/", say(trees.Usage))
		case "verify":
			flags.StringVar((*string)(&f.Verify), name, cmp.Or(string(f.Verify), verifications[0]), say("fast or full: check answers by identities with random numbers and a sample, where the version can, or compare all of each with the reference"))
			completion.Flag(cmd, name, cobra.FixedCompletions(verifications, cobra.ShellCompDirectiveNoFileComp))
		case "wisdom":
			flags.StringVar(&f.wisdom, name, "", say("wisdom file of bench tune with the tunables to use (default: bench/wisdom.json in the user's configuration folder, if it exists; none: no file)"))
		case "json":
			flags.BoolVar(&f.json, name, false, say("print JSON"))
		case "dump":
			flags.StringVar(&f.Dump, name, "", say("folder for the arrays of wrong answers, the right ones, and pictures of where they differ"))
		case "for":
			mediumFlag(cmd, &f.medium)
		case "quiet":
			flags.BoolVarP(&f.quiet, name, "q", false, say("print only what went wrong"))
		default:
			panic("command: no shared flag " + name)
		}
	}
}

// mediumFlag adds --for.
func mediumFlag(cmd *cobra.Command, m *plots.Medium) {
	*m = plots.Screen
	cmd.Flags().Var(m, "for", "what the plots are for: "+strings.Join(plots.MediaNames(), ", "))
	completion.Flag(cmd, "for", cobra.FixedCompletions(plots.MediaNames(), cobra.ShellCompDirectiveNoFileComp))
}

// devices adds --device, which accepts these kinds. initial is its default.
func (f *choices) devices(cmd *cobra.Command, initial string, kinds ...string) {
	f.kinds = kinds
	cmd.Flags().StringVar(&f.Device, "device", initial, f.kinds.Usage())
	completion.Flag(cmd, "device", cobra.FixedCompletions(f.kinds.Names("cuda:0"), cobra.ShellCompDirectiveNoFileComp))
}

// inRange refuses a flag's number outside least to most.
func inRange(name string, n, least, most int) error {
	if n < least || n > most {
		return usageError(fmt.Errorf("--%s %d: want %d to %d", name, n, least, most))
	}
	return nil
}

// checkRepeats checks --repeats, if it is given, for verbs that run points.
func checkRepeats(cmd *cobra.Command, n int) error {
	if !cmd.Flags().Changed("repeats") {
		return nil
	}
	return inRange("repeats", n, 1, 1000)
}

// verifications are the values of --verify.
var verifications = []string{string(framework.FastVerification), string(framework.FullVerification)}

// folderNotFile refuses a new folder whose name is that of a file.
func folderNotFile(out string) error {
	switch filepath.Ext(out) {
	case ".csv", ".json", ".parquet", ".txt", ".gz":
		if i, err := os.Stat(out); err != nil || !i.IsDir() {
			return fmt.Errorf("--out %s is a folder, and its files have names of their own: want one without the ending %s", out, filepath.Ext(out))
		}
	}
	return nil
}

// check refuses values that no verb, or not this one, can use.
func (f *choices) check() error {
	if f.Root != "" {
		folder, err := trees.Open(f.Root)
		if err != nil {
			return usageError(fmt.Errorf("--root: %w", err))
		}
		f.Root = folder
	}
	if err := folderNotFile(f.out); err != nil {
		return usageError(err)
	}
	if processors := []string{"auto", "CPU", "GPU"}; f.Processor != "" && !slices.Contains(processors, f.Processor) {
		return usageError(errors.New("--processor " + config.NoneOf(f.Processor, processors)))
	}
	if f.Verify != "" && !slices.Contains(verifications, string(f.Verify)) {
		return usageError(errors.New("--verify " + config.NoneOf(string(f.Verify), verifications)))
	}
	if f.Each && !engine.SeveralGPUs(f.Device) {
		return usageError(fmt.Errorf("--each is for several GPUs, and --device %s is one", f.Device))
	}
	if f.kinds == nil || f.Device == "" {
		return nil
	}
	if err := f.kinds.Check(f.Device); err != nil {
		return usageError(err)
	}
	return nil
}

// apply returns the subject with --set and --versions applied.
func (f choices) apply(s experiment.Subject) (experiment.Subject, error) {
	if len(f.set) > 0 {
		if s.Named {
			return s, usageError(fmt.Errorf("--set replaces values of a config, and %s is an algorithm's name", s.Factory.Name))
		}
		if err := s.Config.Set(f.set, s.Factory.TunableNames()); err != nil {
			return s, usageError(err)
		}
	}
	for _, name := range f.versions {
		if err := s.CheckVersion(name); err != nil {
			return s, usageError(err)
		}
	}
	return s.Choose(f.versions...), nil
}
