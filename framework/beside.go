package framework

import (
	"fmt"
	"strconv"
	"strings"
)

// BesideParam is the parameter of what else loads the machine while a version runs.
const BesideParam = "beside"

// NoBeside is its value for nothing.
const NoBeside = "none"

// Beside is a load on the CPU and its memory beside a version.
type Beside struct {
	CPU       int     // threads that compute without end
	Bandwidth float64 // bytes per second that a thread reads from memory
}

// ParseBeside reads a value; nothing beside is the zero Beside.
func ParseBeside(text string) (b Beside, err error) {
	wrong := fmt.Errorf(`beside %q is no load; want %s, cpu:THREADS or bandwidth_Bps:BYTES_PER_SECOND`, text, NoBeside)
	if text == NoBeside || text == "" {
		return b, nil
	}
	key, number, _ := strings.Cut(text, ":")
	x, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !(x > 0) || x > 1e15:
		return b, wrong
	case key == "cpu" && x == float64(int(x)) && x <= 1024:
		b.CPU = int(x)
	case key == "bandwidth_Bps":
		b.Bandwidth = x
	default:
		return b, wrong
	}
	return b, nil
}
