package textfile

import "strings"

// Texts are those of cells that are kept: a file has few, and many rows.
type Texts map[string]string

// mostTexts is the largest number of texts that are kept for reuse: most columns have few.
const mostTexts = 1000

// Keep returns a copy of a cell, which would keep its row in memory. Equal cells mostly share a copy.
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
