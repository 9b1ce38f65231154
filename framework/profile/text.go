package profile

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// CountsText is a table of an algorithm's versions: their own counts, the GPU's, and
// how far they are off.
func CountsText(algorithm string, list []Counted) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\tKERNELS\tFLOPS\tCOUNTED\tOFF\tLOAD BYTES\tCOUNTED\tOFF\tSTORE BYTES\tCOUNTED\tOFF\t\tPOINT\n", algorithm)
	for _, c := range list {
		if c.Failed != "" {
			fmt.Fprintf(w, "%s\t\t\t\t\t\t\t\t\t\t\tfailed\t%s: %s\n", c.Point.Version, c.Point.Settings(), c.Failed)
			continue
		}
		fmt.Fprintf(w, "%s\t%d", c.Point.Version, c.GPU.Kernels)
		for _, q := range c.Quantities() {
			fmt.Fprintf(w, "\t%d\t%d\t%+.2f %%", q.Own, q.Counted, 100*q.Off())
		}
		verdict := "ok"
		if !c.OK() {
			verdict = "OFF"
		}
		fmt.Fprintf(w, "\t%s\t%s\n", verdict, c.Point.Settings())
	}
	w.Flush()
	return b.String()
}
