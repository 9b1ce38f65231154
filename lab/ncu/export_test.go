package ncu

import (
	"fmt"

	"example.org/bench/framework/engine"
)

// Table is that of runs with one kernel each, of which memory is busy for so many percent.
func Table(percent ...int) []byte {
	var rows [][]string
	for _, n := range percent {
		rows = append(rows, kernelRow(engine.BeginKernel), kernelRow("one", "0", fmt.Sprint(n), "0", "0", "0", "1000"), kernelRow(engine.EndKernel))
	}
	return []byte(profileText(rows...))
}
