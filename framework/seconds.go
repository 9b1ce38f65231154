package framework

import "fmt"

// The shortest and the longest time that something measured. Light goes 0.3 µm in the
// first; the second is 31 years.
const (
	shortestSeconds = 1e-15
	longestSeconds  = 1e9
)

// CheckSeconds refuses a time that no clock gives, as a program, a file or a conversion
// made it: 0, a negative one, NaN, the bits of a whole number read as a float.
func CheckSeconds(x float64) error {
	switch {
	case !(x > 0):
		return fmt.Errorf("is %g; want seconds above 0", x)
	case x < shortestSeconds || x > longestSeconds:
		return fmt.Errorf("is %g s, which no clock gives; want %g to %g s", x, shortestSeconds, longestSeconds)
	}
	return nil
}
