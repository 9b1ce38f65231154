// Package board makes and reads board files. A board file is a zip archive of all that one command measures of a machine,
// for its owner to send.
//
//	board.json      what it is: format, program, date, runs, power modes
//	runs/NAME/      a run of bench run: journal, run.json, CSVs, samples, power readings
//	machine/        copies of the machine's files, as bench doctor bundles them
//	SHA256SUMS      the SHA-256 of every other file; its own SHA-256 is the board file's digest, the archive's comment
//
// Nothing in it names the machine or its users. Read refuses a file whose parts do not fit: the files their sums, each
// run's files its journal, the runs each other and the machine's files.
package board

import (
	"embed"
	"path"
	"time"

	"example.org/bench/framework/record"
)

// The names in the archive.
const (
	descriptionFile = "board.json"
	sumsFile        = "SHA256SUMS"
	runsFolder      = "runs"
	machineFolder   = "machine"
)

// format changes when an older program can no longer read the files.
const format = 1

// Description is what a board file says of itself.
type Description struct {
	Format int         `json:"format"`                  // of the file
	Tool   record.Tool `json:"tool"`                    // the program, as of bench version
	Made   time.Time   `json:"made"`                    // when the file was
	Prefix string      `json:"worker_prefix,omitempty"` // program that workers ran under, such as an emulator
	Modes  []string    `json:"power_modes,omitempty"`   // that were measured; absent: the present one alone
	Runs   []string    `json:"runs"`                    // their algorithms, in the order measured
	Notes  []string    `json:"notes,omitempty"`         // what was left out, and why
}

// experiments are the configs to measure, one for each algorithm.
//
//go:embed configs
var experiments embed.FS

// Algorithms returns the measured algorithms in their order. Those that most boards are compared by come first, so that a
// measurement that ends early has them.
func Algorithms() []string {
	return []string{"fft", "scan", "bicubic", "qr", "tridiagonal", "pattern"}
}

// Config returns the experiment of an algorithm.
func Config(algorithm string) ([]byte, error) {
	return experiments.ReadFile(path.Join("configs", algorithm+".json"))
}
