package terminal

import (
	"fmt"
	"math"
)

// Seconds writes a time of s seconds in the unit people would use.
func Seconds(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.4g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.4g ms", s*1e3)
	case s >= 1e-6:
		return fmt.Sprintf("%.4g µs", s*1e6)
	}
	return fmt.Sprintf("%.4g ns", s*1e9)
}

// Clock writes seconds as minutes and seconds.
func Clock(seconds float64) string {
	s := int(math.Round(seconds))
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Bytes writes a size in MiB or GiB.
func Bytes(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
}

// Megahertz writes a frequency in Hz; 0 is one that is not known.
func Megahertz(hz float64) string {
	if hz == 0 {
		return "?"
	}
	return fmt.Sprintf("%.6g MHz", hz/1e6)
}
