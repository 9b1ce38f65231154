// Package terminal prints for people: text whose control characters are made harmless, colours, a live
// line with a bar and the remaining time, reasons that are printed once, and quantities in the units that
// people use. It knows nothing of the content.
package terminal
