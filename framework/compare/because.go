package compare

import (
	"fmt"
	"math"
	"strings"
)

// Because is why one point takes more, or less, time than another.
type Because struct {
	// Reasons are the differences that cost time, the dearest first: from the other point to this one.
	Reasons []string `json:"reasons,omitempty"`
	// Explained is the difference of the model's times divided by that of the measured ones.
	Explained float64 `json:"explained,omitempty"`
	// Missing is why there are no reasons, or doubtful ones.
	Missing string `json:"missing,omitempty"`
}

// Text returns one line: the reasons, and how much of the difference the model explains.
func (b Because) Text(ratio float64) string {
	word := "slower"
	if ratio < 1 {
		word = "faster"
	}
	switch {
	case len(b.Reasons) == 0:
		return word + ": " + b.Missing
	case b.Missing != "":
		return word + " because: " + strings.Join(b.Reasons, "; ") + " (" + b.Missing + ")"
	}
	return fmt.Sprintf("%s because: %s (the model has %.0f %% of the difference)", word, strings.Join(b.Reasons, "; "), math.Round(100*b.Explained))
}

// reasons collects the lines below a table that say why its ratios are what they are.
type reasons struct {
	told []string
	// order lists the reasons for points without an explanation; not holds the points by reason.
	order []string
	not   map[string][]string
}

func (l *reasons) add(name string, r *Ratio) {
	if len(r.Because.Reasons) > 0 {
		l.told = append(l.told, name+": "+r.Because.Text(r.Value))
		return
	}
	why := r.Because.Missing
	if l.not == nil {
		l.not = map[string][]string{}
	}
	if l.not[why] == nil {
		l.order = append(l.order, why)
	}
	l.not[why] = append(l.not[why], name)
}

func (l *reasons) lines() []string {
	lines := l.told
	for _, why := range l.order {
		lines = append(lines, Unpaired{Level: "not explained", Why: "(" + why + ")", Points: l.not[why]}.String())
	}
	return lines
}

// named returns a cell's point and level with the names of the factors.
func (c *Comparison) named(cell Cell) string {
	var parts []string
	for i, f := range c.Points[cell.Point].Factors {
		if f != "" {
			parts = append(parts, c.Factors[i]+"="+f)
		}
	}
	return strings.Join(append(parts, cell.Level), " ")
}
