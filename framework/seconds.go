package framework

import "fmt"

// The shortest and the longest time that can have been measured. Light travels 0.3 µm in the first;
// the second is 31 years.
const (
	shortestSeconds = 1e-15
	longestSeconds  = 1e9
)

// CheckSeconds returns an error for a time that no clock gives but a program, a file or a
// conversion may: 0, a negative number, NaN, or the bits of an integer read as a float.
func CheckSeconds(x float64) error {
	switch {
	case !(x > 0):
		return fmt.Errorf("is %g; want seconds above 0", x)
	case x < shortestSeconds || x > longestSeconds:
		return fmt.Errorf("is %g s, which no clock gives; want %g to %g s", x, shortestSeconds, longestSeconds)
	}
	return nil
}
