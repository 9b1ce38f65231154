// Bench measures kernels on GPUs and CPUs: time, FLOPs, bytes, power and
// energy in one sweep, every result verified.
package main

import (
	"example.org/bench"
	"example.org/bench/algorithms"
	"example.org/bench/command"
	"example.org/bench/sensors"
)

func main() {
	command.Main(algorithms.All(), sensors.All(), bench.Sources)
}
