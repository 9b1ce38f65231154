package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/bench/algorithms"
	"example.org/bench/command/grammar"
	"example.org/bench/framework"
	"example.org/bench/sensors"
)

func everyVerb() *app {
	return &app{registry: framework.NewRegistry(algorithms.All(), sensors.All())}
}

// verbs are those that people use, by name.
func verbs() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	for _, c := range everyVerb().root().Commands() {
		if !c.Hidden && c.Name() != "completion" && c.Name() != "help" {
			all[c.Name()] = c
		}
	}
	return all
}

// asked is a command line of a verb with these flags, each with some value, and as
// many arguments as it wants.
func asked(c *cobra.Command, flags ...string) []string {
	args := []string{c.Name()}
	var positional []string
	for c.Args != nil && c.Args(c, positional) != nil && len(positional) < 3 {
		positional = append(positional, "x")
	}
	for _, name := range flags {
		switch f := c.Flags().Lookup(name); {
		case f != nil && f.Value.Type() == "bool":
		case f != nil && f.Value.Type() == "medium":
			name += "=" + f.DefValue
		default:
			name += "=1"
		}
		args = append(args, "--"+name)
	}
	return append(args, positional...)
}

// refuses fails unless the command line is a bad usage, said in one line with these
// words.
func refuses(t *testing.T, args []string, words ...string) {
	t.Helper()
	status, out, errOut := runIn(t, args...)
	line, examples, _ := strings.Cut(errOut, "\n")
	for example := range strings.Lines(examples) {
		if !strings.HasSuffix(line, ", as in") || !strings.HasPrefix(example, "  ") {
			t.Errorf("bench %s: %s%s", strings.Join(args, " "), line, example)
		}
	}
	if status != exitUsage || out != "" || line == "" {
		t.Errorf("bench %s: status %d\n%s%s", strings.Join(args, " "), status, out, errOut)
	}
	for _, w := range words {
		if !strings.Contains(errOut, w) {
			t.Errorf("bench %s: no %q in %s", strings.Join(args, " "), w, errOut)
		}
	}
}

// Every flag of any verb is refused by every verb that does not have it, and a
// mistyped one names the right one.
func TestEveryFlagOfEveryVerb(t *testing.T) {
	all := verbs()
	flags := map[string]bool{}
	for _, c := range all {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	}
	if len(all) < 15 || len(flags) < 30 {
		t.Fatalf("%d verbs with %d flags", len(all), len(flags))
	}
	for name, c := range all {
		for flag := range flags {
			if c.Flags().Lookup(flag) == nil {
				refuses(t, asked(c, flag), "unknown flag: --"+flag, "bench "+name+" --help")
				continue
			}
			mistyped := flag + flag[len(flag)-1:]
			if c.Flags().Lookup(mistyped) == nil {
				refuses(t, asked(c, mistyped), "unknown flag: --"+mistyped+"; did you mean --"+flag+"?")
			}
		}
	}
}

// A flag that applies only together with another is refused without it, and one
// that does not go with another is refused with it.
func TestFlagsThatGoTogether(t *testing.T) {
	declared := 0
	for _, c := range verbs() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for key := range maps.Keys(f.Annotations) {
				if key != grammar.OnlyWith && key != grammar.NotWith && !strings.HasPrefix(key, "cobra_") {
					t.Errorf("bench %s --%s: annotation %s is checked by nobody", c.Name(), f.Name, key)
				}
			}
			for _, other := range f.Annotations[grammar.OnlyWith] {
				declared++
				refuses(t, asked(c, f.Name), fmt.Sprintf("--%s goes with --%s", f.Name, other))
			}
			for _, other := range f.Annotations[grammar.NotWith] {
				declared++
				refuses(t, asked(c, f.Name, other), fmt.Sprintf("--%s does not go with --%s", other, f.Name))
			}
		})
	}
	if declared < 10 {
		t.Errorf("%d such pairs of flags", declared)
	}
}

// A mistyped verb names the right one.
func TestMistypedVerbs(t *testing.T) {
	for name := range verbs() {
		if meant := fmt.Sprintf("is not a verb; did you mean %q?", name); name != "board" { // one letter from boards, too
			refuses(t, []string{name + name[len(name)-1:]}, meant)
		}
		last := len(name) - 1
		swapped := name[:last-1] + name[last:] + name[last-1:last]
		refuses(t, []string{swapped}, fmt.Sprintf("%q is not a verb; did you mean %q?", swapped, name))
	}
}

// Every verb's own flags, beside those that mean the same for all, are few enough
// to read.
func TestFlagsAreFew(t *testing.T) {
	shared := []string{"set", "versions", "device", "processor", "out", "seed", "resume", "root", "wisdom", "json", "quiet"}
	for name, c := range verbs() {
		var own []string
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(shared, f.Name) {
				own = append(own, f.Name)
			}
		})
		if len(own) > 15 {
			t.Errorf("bench %s has %d flags of its own: %s", name, len(own), strings.Join(own, ", "))
		}
	}
}
