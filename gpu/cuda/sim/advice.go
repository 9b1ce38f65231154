package sim

import (
	"strings"

	"example.org/bench/internal/lazy"
)

var noHeader = lazy.Regexp(`fatal error: (\S+): No such file or directory`)

// advice returns what a compiler's messages do not say: what the simulator lacks, and what to do about
// it.
func advice(log string) (text string) {
	if m := noHeader().FindStringSubmatch(log); m != nil {
		text += "the simulator has no header " + m[1] + ": put it beside the source or in a folder of the option -I, or verify the kernel on a GPU, where a toolkit's headers are found\n"
	}
	for _, sign := range []string{"no_assembler", "in 'asm'", "in ‘asm’", "invalid 'asm'"} {
		if strings.Contains(log, sign) {
			return text + "the simulator cannot run this inline PTX: guard it by #ifndef BENCH_SIM\n"
		}
	}
	if strings.Contains(log, "before ‘<’ token") || strings.Contains(log, "before '<' token") {
		text += "the simulator runs no kernels that kernels launch\n"
	}
	return text
}
