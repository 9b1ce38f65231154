package textfile

import "strings"

// Texts are those of cells that are kept: a file has few, and many rows.
type Texts map[string]string

// mostTexts is how many texts of cells are known again: most columns have few.
const mostTexts = 1000

// Keep is a copy of a cell, which holds its row; of equal ones mostly the same.
func (known Texts) Keep(cell string) string {
	text, ok := known[cell]
	if !ok {
		text = strings.Clone(cell)
		if len(known) < mostTexts {
			known[text] = text
		}
	}
	return text
}
