// Package machine reads what a computer is and how it is set from the files
// that its kernel shows in /sys, /proc and /etc: what it is made of (Facts),
// the limits of its clocks (Clocks), its temperatures, which of its CPUs are
// best to measure on, and what makes timings on it doubtful (Warnings).
//
// All of it hangs off a Tree, the folder that those files are below: Live on
// the machine that this process runs on, any folder for a tree copied from
// another.
package machine
