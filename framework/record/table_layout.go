package record

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// tableColumn is one column of the summary.
type tableColumn struct {
	head string
	left bool // aligned to the left
	room room
	cell func(*Row) string
}

// room is how soon a column is left out where the terminal is too narrow.
type room int

const (
	naming room = iota // names the row
	needed             // stays
	later              // from here on, the highest first
	soon
	first
)

// laidOut is a column with its cells, as wide as the widest.
type laidOut struct {
	tableColumn
	cells []string // of the heading and of each row
	width int
}

// layOut aligns the columns, without those that are empty in every row.
func layOut(rows []Row, columns []tableColumn, width int) string {
	var all []laidOut
	for _, c := range columns {
		l := laidOut{tableColumn: c}
		for i := range rows {
			l.cells = append(l.cells, c.cell(&rows[i]))
		}
		if !slices.ContainsFunc(l.cells, func(s string) bool { return s != "" }) {
			continue
		}
		if !c.left {
			l.cells = digits.Column(l.cells)
		}
		l.cells = slices.Insert(l.cells, 0, c.head)
		for _, s := range l.cells {
			l.width = max(l.width, terminal.Runes(s))
		}
		all = append(all, l)
	}
	var out []string
	for width >= terminal.Narrow && needs(all) > width {
		worst := 0
		for i, l := range all {
			if l.room > all[worst].room {
				worst = i
			}
		}
		if all[worst].room <= needed {
			break
		}
		out = append(out, all[worst].head)
		all = slices.Delete(all, worst, worst+1)
	}
	var b strings.Builder
	for i := range len(rows) + 1 {
		if width > 0 && (width < terminal.Narrow || needs(all) > width) {
			if i > 0 {
				b.WriteString(rowBlock(all, i, width))
			}
			continue
		}
		var cells []string
		for _, l := range all {
			pad := strings.Repeat(" ", l.width-terminal.Runes(l.cells[i]))
			if l.left {
				cells = append(cells, l.cells[i]+pad)
			} else {
				cells = append(cells, pad+l.cells[i])
			}
		}
		fmt.Fprintln(&b, strings.TrimRight(strings.Join(cells, "  "), " "))
	}
	if len(out) > 0 {
		fmt.Fprintf(&b, "no room for %s: in the CSVs, and in a wider terminal\n", strings.Join(out, ", "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// needs returns the width of the columns, with two blanks between them.
func needs(all []laidOut) (width int) {
	for _, l := range all {
		width += l.width + 2
	}
	return width - 2
}

// rowBlock returns a row as a line of its names and, below, its figures.
func rowBlock(all []laidOut, row, width int) string {
	var names, figures []string
	for _, l := range all {
		switch text := strings.Join(strings.Fields(l.cells[row]), " "); {
		case text == "":
		case l.room == naming && l.left:
			names = append(names, text)
		case l.room == naming:
			names = append(names, l.head+" "+text)
		default:
			figures = append(figures, terminal.KeepTogether(l.head+": "+text))
		}
	}
	return terminal.Wrap(strings.Join(names, ", ")+"\n  "+strings.Join(figures, ", ")+"\n", width)
}
