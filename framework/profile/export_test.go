package profile

import (
	"fmt"

	"example.org/bench/framework/engine"
)

// Table is that of runs with one kernel each, of so many FLOPs.
func Table(flops ...int) []byte {
	var rows [][]string
	for _, n := range flops {
		rows = append(rows, kernelRow(engine.BeginKernel), kernelRow("one", fmt.Sprint(n)), kernelRow(engine.EndKernel))
	}
	return []byte(profileText(rows...))
}
