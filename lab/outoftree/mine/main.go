// Mine is bench with its own algorithm, in its own module.
package main

import (
	"example.org/bench/algorithms"
	"example.org/bench/command"
	"example.org/bench/sensors"
)

func main() {
	command.Main(append(algorithms.All(), sum()), sensors.All())
}
