package inspect

import (
	"cmp"
	"fmt"
	"strings"

	"example.org/bench/internal/terminal"
)

// Summary returns one line that says what the machine can measure.
func (e *Examination) Summary() string {
	var gpu, simulator, modes string
	var kinds []string
	live, disturbed := false, 0
	for _, f := range e.Findings {
		switch name, _, _ := strings.Cut(f.Text, ","); {
		case f.State == Warning:
			disturbed++
		case f.What == "GPU":
			live = true
			if f.State == OK {
				gpu = name
			}
		case f.State != OK:
		case f.What == "simulator":
			simulator = " (its kernels run in the simulator)"
		case f.Section == sensorsSection:
			kinds = append(kinds, f.What)
		case f.Section == modesSection && modes == "" && f.What != modeNow && !strings.HasPrefix(f.What, clockOf):
			modes = terminal.Count(strings.Count(f.Text, ",")+1, "power mode")
		}
	}
	var can []string
	switch {
	case !live: // copied files
	case gpu != "":
		can = append(can, "times on the CPU and on the "+gpu)
	default:
		can = append(can, "times on the CPU, none on a GPU"+simulator)
	}
	if kinds == nil {
		can = append(can, "no power")
	} else {
		can = append(can, "power by "+strings.Join(kinds, " and "))
	}
	can = append(can, cmp.Or(modes, "no power modes"))
	if disturbed > 0 {
		can = append(can, terminal.Count(disturbed, "warning")+" below")
	}
	return "measures " + strings.Join(can, "; ")
}

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
	fmt.Fprintln(&b, e.Summary())
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
