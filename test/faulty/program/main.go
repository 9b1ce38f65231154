//go:build linux

// Program is bench with the algorithm faulty: a separate program around
// bench, which adds to the list of algorithms and calls command.Main.
package main

import (
	"example.org/bench/algorithms"
	"example.org/bench/command"
	"example.org/bench/sensors"
	"example.org/bench/test/faulty"
)

func main() {
	command.Main(append(algorithms.All(), faulty.Factory()), sensors.All())
}
