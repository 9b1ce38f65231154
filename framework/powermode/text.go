package powermode

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/internal/terminal"
)

// Text is a table of the modes with their limits, the present one marked, and one of the
// clocks.
func (s *Overview) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if s.Absent != "" {
		fmt.Fprintln(&b, s.Absent)
		if len(s.Clocks) == 0 {
			return b.String()
		}
		fmt.Fprintln(&b, "the modes are not known; the clocks are:")
	} else {
		s.modes(w)
	}
	fmt.Fprint(w, "\n\tCLOCK\tLEAST\tHIGHEST\tNOW\n")
	for _, x := range s.Clocks {
		fmt.Fprintf(w, "\t%s\t%s\t%s\t%s\n", x.Name, terminal.Megahertz(x.Min), terminal.Megahertz(x.Max), terminal.Megahertz(x.Current))
	}
	w.Flush()
	for i, name := range slices.Sorted(maps.Keys(s.Available)) {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  %s can be set to %s MHz\n", name, inMegahertz(s.Available[name]))
	}
	if s.Doubt != nil {
		fmt.Fprintf(&b, "\n%v\n", s.Doubt)
	}
	return b.String()
}

// modes writes the table of modes.
func (s *Overview) modes(w io.Writer) {
	masks := slices.ContainsFunc(s.Modes, func(m Mode) bool { return m.Masks != nil })
	fmt.Fprint(w, "\tID\tMODE\tCPUS\tHIGHEST")
	if masks {
		fmt.Fprint(w, "\tUNITS OFF\tSWITCH")
	}
	fmt.Fprintln(w)
	for _, m := range s.Modes {
		mark := ""
		if m.ID == s.Current {
			mark = "*"
		}
		name := m.Name
		if m.Default {
			name += " (default)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s", mark, m.ID, name, m.CPUs, limits(m))
		if masks {
			fmt.Fprintf(w, "\t%s\t%s", maskText(m.Masks), howToEnter(m))
		}
		fmt.Fprintln(w)
	}
}

func inMegahertz(table []float64) string {
	var words []string
	for _, hz := range table {
		words = append(words, fmt.Sprintf("%.6g", hz/1e6))
	}
	return strings.Join(words, ", ")
}

// maskText is the masks in the order of their names.
func maskText(masks map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(masks)) {
		parts = append(parts, name+" "+masks[name])
	}
	return strings.Join(parts, ", ")
}

func howToEnter(m Mode) string {
	if m.Boot != "" {
		return "boot into it"
	}
	return "at once"
}

func limits(m Mode) string {
	var parts []string
	for _, l := range m.Limits {
		switch {
		case l.Most == 0:
			parts = append(parts, l.What+" no limit")
		case l.Unit == "Hz":
			parts = append(parts, l.What+" "+terminal.Megahertz(l.Most))
		default:
			parts = append(parts, fmt.Sprintf("%s %g %s", l.What, l.Most, l.Unit))
		}
	}
	return strings.Join(parts, ", ")
}
