package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bench/inspect"
)

func (a *app) doctorCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what was found on this machine; for what is missing, why and how to get it",
		Long: `Doctor looks for everything that bench can use: GPU, driver, NVRTC, vendor
libraries, sensors, the simulator's compiler, and settings that disturb
measurements. What is missing is a line with its reason, not a failure. With --root
it describes the board of a copied tree, its sensors and its power modes, and not
this machine.

EXIT STATUS
  0    looked for, whatever is missing
  1    the output cannot be written
  2    bad usage`,
		Example: `  bench doctor
  bench doctor --root testdata/jetson-tx2    a board's copied /sys, /proc and /etc`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			e := inspect.Examine(cmd.Context(), a.registry, f.root)
			if f.json {
				return a.printJSON(e)
			}
			_, err := io.WriteString(a.out, examinationText(e, paletteOf(a.out)))
			return err
		},
	}
	f.flag(cmd, "root", "json")
	return cmd
}

// examinationText is a line a finding under its section's name; a reason that several have
// stands below them.
func examinationText(e *inspect.Examination, colours palette) string {
	var b strings.Builder
	var why footnotes
	had := map[string]int{}
	for _, f := range e.Findings {
		had[f.Text]++
	}
	section := ""
	for _, f := range e.Findings {
		if f.Section != section {
			section = f.Section
			fmt.Fprintln(&b, section)
		}
		state, text := f.State, f.Text
		if state == inspect.Note {
			state = ""
		}
		if had[text] > 1 {
			text = strings.TrimPrefix(strings.TrimPrefix(why.mark(text), ":"), " ")
		}
		state = fmt.Sprintf("%-8s", state)
		if f.State == inspect.Missing || f.State == inspect.Warning {
			state = colours.paint(yellow, state)
		}
		fmt.Fprintf(&b, "  %s %-14s %s\n", state, f.What, text)
	}
	return b.String() + why.text()
}
