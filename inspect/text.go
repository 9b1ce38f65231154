package inspect

import (
	"fmt"
	"strings"

	"bench/terminal"
)

// Text returns a line for each finding below its section's name. A reason that several findings have
// stands below them.
func (e *Examination) Text(colours terminal.Palette) string {
	var b strings.Builder
	var why terminal.Footnotes
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
		if state == Note {
			state = ""
		}
		if had[text] > 1 {
			text = strings.TrimPrefix(strings.TrimPrefix(why.Mark(text), ":"), " ")
		}
		state = fmt.Sprintf("%-8s", state)
		if f.State == Missing || f.State == Warning {
			state = colours.Paint(terminal.Yellow, state)
		}
		fmt.Fprintf(&b, "  %s %-14s %s\n", state, f.What, text)
	}
	return b.String() + why.Text()
}

// Text lists the files with their sizes in bytes, and ends with their sum and number, without a line end.
func (b *Bundle) Text() string {
	var list strings.Builder
	total := 0
	for _, f := range b.Files {
		fmt.Fprintf(&list, "%8d  %s\n", len(f.Text), f.Name)
		total += len(f.Text)
	}
	fmt.Fprintf(&list, "%8d  bytes in %s", total, terminal.Count(len(b.Files), "file"))
	return list.String()
}
