package framework

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// BesideParam is the parameter that says what else loads the machine while a version runs.
const BesideParam = "beside"

// NoBeside is the value of BesideParam for no load.
const NoBeside = "none"

// Keys of the loads in a value of BesideParam, such as cpu:2+bandwidth_Bps:2e9, and in the object
// that a config may have in its place.
const (
	CPUBeside          = "cpu"
	BandwidthBeside    = "bandwidth_Bps"
	GPUBeside          = "gpu"
	GPUBandwidthBeside = "gpu_bandwidth_Bps"
)

// Beside is a load on the processors and their memory while a version runs.
type Beside struct {
	CPU          int     // threads that compute without end
	Bandwidth    float64 // bytes per second that a thread reads from memory
	GPU          float64 // share of the time that the GPU computes
	GPUBandwidth float64 // bytes per second that the GPU reads and writes
}

// OnGPU reports whether a part of the load is on the GPU.
func (b Beside) OnGPU() bool { return b.GPU > 0 || b.GPUBandwidth > 0 }

// besideForm matches the + before each load, and no + of an exponent.
var besideForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\+([a-z])`) })

// ParseBeside parses a value of BesideParam. The zero Beside is no load.
func ParseBeside(text string) (b Beside, err error) {
	if text == NoBeside || text == "" {
		return b, nil
	}
	for _, load := range strings.Split(besideForm().ReplaceAllString(text, "\x00$1"), "\x00") {
		if !b.add(load) {
			return Beside{}, fmt.Errorf(`beside %q is no load; want %s, or one or several of cpu:THREADS, bandwidth_Bps:BYTES_PER_SECOND and gpu:SHARE_OF_TIME or gpu_bandwidth_Bps:BYTES_PER_SECOND, with + between them`, text, NoBeside)
		}
	}
	if b.GPU > 0 && b.GPUBandwidth > 0 {
		return Beside{}, errors.New("beside: gpu and gpu_bandwidth_Bps exclude each other; want one of them")
	}
	return b, nil
}

// add adds one load and reports whether it is valid and the first with its key.
func (b *Beside) add(load string) bool {
	key, number, _ := strings.Cut(load, ":")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) || x > 1e15 {
		return false
	}
	switch {
	case key == CPUBeside && b.CPU == 0 && x == float64(int(x)) && x <= 1024:
		b.CPU = int(x)
	case key == BandwidthBeside && b.Bandwidth == 0:
		b.Bandwidth = x
	case key == GPUBeside && b.GPU == 0 && x <= 1:
		b.GPU = x
	case key == GPUBandwidthBeside && b.GPUBandwidth == 0:
		b.GPUBandwidth = x
	default:
		return false
	}
	return true
}

// BesideText returns the value of BesideParam for loads with these keys, in their order.
func BesideText(keys, numbers []string) string {
	short := strings.NewReplacer("e+0", "e", "e+", "e")
	var loads []string
	for i, key := range keys {
		loads = append(loads, key+":"+short.Replace(numbers[i]))
	}
	return strings.Join(loads, "+")
}
