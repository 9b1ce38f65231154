// Package board makes and reads board files: what one command measures of a machine, in one zip archive that its owner can
// send.
//
//	board.json      what it is: format, program, date, runs, power modes
//	runs/NAME/      a run of bench run: journal, run.json, CSVs, samples, power readings
//	machine/        copies of the machine's files, as bench doctor bundles them
//	SHA256SUMS      the SHA-256 of every other file; that of its own text is the file's digest, the archive's comment
//
// Nothing in it names the machine or its users. Read refuses what does not fit together: the sums, each run's files with
// its journal, the runs with each other and with the machine's files.
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

// experiments are what is measured, one for each algorithm.
//
//go:embed configs
var experiments embed.FS

// Algorithms are those that are measured, in this order: what ends early has those that most others are compared by.
func Algorithms() []string {
	return []string{"fft", "scan", "bicubic", "qr", "tridiagonal", "pattern"}
}

// Config is the experiment of one of them.
func Config(algorithm string) ([]byte, error) {
	return experiments.ReadFile(path.Join("configs", algorithm+".json"))
}
