// Mine is bench with its own algorithm, in its own module.
package main

import (
	"bench/algorithms"
	"bench/command"
	"bench/sensors"
)

func main() {
	command.Main(append(algorithms.All(), sum()), sensors.All())
}
