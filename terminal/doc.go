// Package terminal prints for people: text whose control characters are made
// harmless, colours where they are wanted, a live line with a bar and the time
// to go, reasons that are said once, and quantities in the units people use.
// It knows nothing of what is printed.
package terminal
