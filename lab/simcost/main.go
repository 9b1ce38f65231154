// Simcost measures the cost of the simulator's checks: the processor time and the wall time of `bench
// verify ALGORITHM --device sim`, with checks and with --plain, in alternation. A first run that does not
// count compiles the kernels. It prints a Markdown table of the least of the repeats:
//
//	simcost BENCH [REPEATS [ALGORITHM…]]
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// cost is of one run, in seconds.
type cost struct{ processor, wall float64 }

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: simcost BENCH [REPEATS [ALGORITHM…]]")
	}
	repeats := 3
	if len(os.Args) > 2 {
		n, err := strconv.Atoi(os.Args[2])
		if err != nil || n < 1 {
			log.Fatalf("%s is no number of repeats; want 1 or more", os.Args[2])
		}
		repeats = n
	}
	algorithms := []string{"scan", "tridiagonal", "fft", "bicubic", "pattern", "qr"}
	if len(os.Args) > 3 {
		algorithms = os.Args[3:]
	}
	fmt.Printf("| least of %d | plain: processor (s) | checked (s) | ratio | plain: wall (s) | checked (s) |\n|---|---:|---:|---:|---:|---:|\n", repeats)
	var all [2]cost
	for _, name := range algorithms {
		var best [2]cost // plain, checked
		for i := range repeats + 1 {
			for form, flags := range [][]string{{"--plain"}, nil} {
				c := run(os.Args[1], append([]string{"verify", name, "--device", "sim"}, flags...)...)
				if i == 1 || i > 1 && c.processor < best[form].processor {
					best[form].processor = c.processor
				}
				if i == 1 || i > 1 && c.wall < best[form].wall {
					best[form].wall = c.wall
				}
			}
		}
		for form := range best {
			all[form].processor += best[form].processor
			all[form].wall += best[form].wall
		}
		row(name, best)
	}
	row("all", all)
}

func row(name string, c [2]cost) {
	fmt.Printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", name, c[0].processor, c[1].processor, c[1].processor/c[0].processor, c[0].wall, c[1].wall)
}

// run is one run, which must find nothing wrong.
func run(bench string, args ...string) cost {
	c := exec.Command(bench, args...)
	start := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		log.Fatalf("%s %v: %v\n%s", bench, args, err, out)
	}
	return cost{(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), time.Since(start).Seconds()}
}
