// Bench measures kernels on GPUs and CPUs: time, FLOPs, bytes, power and
// energy in one sweep, every result verified.
package main

import (
	"bench"
	"bench/algorithms"
	"bench/command"
	"bench/sensors"
)

func main() {
	command.Main(algorithms.All(), sensors.All(), bench.Sources)
}
