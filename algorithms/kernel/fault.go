package kernel

import (
	"errors"
	"fmt"

	"example.org/bench/framework/config"
)

// fault reports an unusable value of an expression.
type fault struct {
	of  *computed
	err error
	// refusal is set if the expression is right and excludes tunables that cannot run, as a constraint does,
	// or a launch beyond the device's limits.
	refusal bool
}

func (f *fault) Error() string { return f.err.Error() }

func (f *fault) Unwrap() error { return f.err }

// Position returns where the config has the expression, for the plan's message. It has no line in the worker,
// whose config has no positions.
func (f *fault) Position() config.Position { return f.of.at }

// faultf returns a fault of the expression.
func (x *computed) faultf(format string, args ...any) error {
	return &fault{of: x, err: fmt.Errorf(format, args...)}
}

// refusef returns a fault that refuses what the expression gives.
func (x *computed) refusef(format string, args ...any) error {
	return &fault{of: x, err: fmt.Errorf(format, args...), refusal: true}
}

// is describes the value of the expression. A bare number is not repeated.
func (x *computed) is(got any, env scope) string {
	if fmt.Sprint(got) == x.Text {
		return "this is " + x.Text
	}
	return fmt.Sprintf("%s is %v%s", x.Text, got, x.with(env))
}

// faultOf returns the fault in err's chain, or nil.
func faultOf(err error) *fault {
	var f *fault
	errors.As(err, &f)
	return f
}
