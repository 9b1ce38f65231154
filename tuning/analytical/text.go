package analytical

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"example.org/bench/internal/terminal"
)

// Text is a table of the model's choices for the device, and one of how the literature's
// blocks fill its multiprocessors.
func (d *Device) Text(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s, each of at most %s and %s\n", d.Facts.Name, d.Chip,
		terminal.Count(d.Facts.Multiprocessors, "multiprocessor"), terminal.Count(d.Facts.MaxThreadsPerSM/d.Facts.WarpSize, "warp"), terminal.Count(d.Facts.MaxBlocksPerSM, "block"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ALGORITHM\tVERSION\tN\t(S, P, L)\tr\tSHUFFLE\tKERNELS\tBLOCKS A SM\tWARP OCCUPANCY")
	for _, r := range rows {
		radix := ""
		if r.Radix > 0 {
			radix = fmt.Sprint(r.Radix)
		}
		shuffle := 0
		if r.Shuffle {
			shuffle = 1
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t(%d, %d, %d)\t%s\t%d\t%d\t%d\t%.0f %%\n", r.Algorithm, r.Version, r.N, r.S, r.P, r.L, radix, shuffle, r.Kernels,
			r.Occupancy.Blocks, math.Round(100*r.Occupancy.Share))
	}
	w.Flush()
	fmt.Fprintln(&b, "\nWhat fills a multiprocessor:")
	fmt.Fprintln(w, "WARPS A BLOCK\tREGISTERS A THREAD\tSHARED BYTES A BLOCK\tWARP OCCUPANCY\tBLOCKS A SM")
	for _, r := range OccupancyTable(d.Facts) {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.0f %%\t%d\n", r.Warps, r.Registers, r.SharedBytes, math.Round(100*r.Occupancy.Share), r.Occupancy.Blocks)
	}
	w.Flush()
	return b.String()
}
