package sim

import (
	"strconv"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// place matches a place in a launch's message, as struct Launch of cpp/runtime.h describes it, and what
// follows it.
var place = lazy.Regexp(`\{(pc|at|shared|dynamic) ([0-9a-f]+)\}(: )?`)

// translate replaces the places in the message of a failed launch by names.
func (k *kernel) translate(message string, args named, sharedBytes int) string {
	m := k.module
	return place().ReplaceAllStringFunc(message, func(match string) string {
		part := place().FindStringSubmatch(match)
		at, err := strconv.ParseUint(part[2], 16, 64)
		if err != nil {
			return match
		}
		text := ""
		switch part[1] {
		case "pc":
			if text = line(m.file, at); text == "" && part[3] != "" {
				return ""
			} else if text == "" {
				text = "a place that is not known"
			}
		case "shared":
			text = describe(m.shareds, at, "__shared__ ")
		case "dynamic":
			text = describe([]variable{{"the dynamic shared memory", 1 << 32, uint64(sharedBytes)}}, at+1<<32, "")
		case "at":
			if v := &m.variables; at >= uint64(v.low) && at < uint64(v.high) {
				text = describe(v.list, at, "")
			} else {
				text = m.device.memory.describe(gpu.Pointer(at), args)
			}
		}
		return text + part[3]
	})
}

// wild matches a report of a wrong address, index or loop.
var wild = lazy.Regexp(`which is not device memory|past the end of|\d bytes? before|outside the array|misaligned|still here`)

// suspect adds to such a report the local variables that may be its cause: those that the compiler
// reports as read before they are written.
func (k *kernel) suspect(report string) string {
	if len(k.module.reads) == 0 || !wild().MatchString(report) {
		return report
	}
	return report + "; " + strings.Join(k.module.reads, "; ")
}
