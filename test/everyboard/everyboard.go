// Package everyboard says for how many boards tests do what takes long for each: compiling
// kernels, and running what is built for arm64 under an emulator.
package everyboard

import "os"

// Wanted reports whether tests are to cover every board, as those of `make lab` do.
func Wanted() bool { return os.Getenv("BENCH_BOARDS") == "all" }

// Of are the boards to cover of a list whose last is the newest: all, or that one.
func Of[Board any](list []Board) []Board {
	if Wanted() {
		return list
	}
	return list[len(list)-1:]
}
