package profile

import (
	"fmt"

	"bench/framework/engine"
)

// Table is that of a number of runs with one kernel each, of 1, 2, … FLOPs.
func Table(runs int) []byte {
	var rows [][]string
	for i := range runs {
		rows = append(rows, kernelRow(engine.BeginKernel), kernelRow("one", fmt.Sprint(i+1)), kernelRow(engine.EndKernel))
	}
	return []byte(profileText(rows...))
}
