// Mine is bench with an algorithm of its own, in a module of its own.
package main

import (
	"bench/algorithms"
	"bench/command"
	"bench/sensors"
)

func main() {
	command.Main(append(algorithms.All(), sum()), sensors.All())
}
