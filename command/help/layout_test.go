package help

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
)

// TestArrange: verbs stand in their groups in order, what is in none behind them, and no line is long.
func TestArrange(t *testing.T) {
	root := &cobra.Command{Use: "bench", Run: func(*cobra.Command, []string) {}}
	words := strings.Repeat("word ", 40)
	for _, name := range []string{"odd", "plot", "tune", "run", "judge", "secret", "report"} {
		verb := &cobra.Command{Use: name, Short: "About " + name, Long: "A first\nline.\n\n  indented\n  twice", Run: func(*cobra.Command, []string) {}, Hidden: name == "secret"}
		verb.Flags().String("flag", "", words)
		root.AddCommand(verb)
	}
	root.InitDefaultHelpCmd()
	grammar.Arguments(root) // which the help of verbs relies on
	Arrange(root)
	for _, c := range []struct {
		args string
		want []string // in this order
	}{
		{"--help", []string{"\nMeasure:\n  run ", "\n  judge ", "\nTune:\n  tune ", "\nLook at results:\n  report ", "\n  plot ", "\nThe program itself:\n", "\nAdditional Commands:\n  odd "}},
		{"run --help", []string{"A first line.\n\n  indented\n  twice\n", "\n      --flag string   word word ", "\n                      word "}},
		{"help run", []string{"A first line.\n"}},
	} {
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs(strings.Fields(c.args))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		rest := out.String()
		for _, w := range c.want {
			_, after, found := strings.Cut(rest, w)
			if !found {
				t.Errorf("%s: no %q, or not in its place, in\n%s", c.args, w, out.String())
			}
			rest = after
		}
		if strings.Contains(out.String(), "secret") {
			t.Errorf("%s: a hidden verb", c.args)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > most+1 {
				t.Errorf("%s: a line of %d: %s", c.args, len(line), line)
			}
		}
	}
}
