package kernel

import (
	"errors"
	"fmt"

	"bench/framework/config"
)

// fault is an unusable value of an expression.
type fault struct {
	of  *expression
	err error
	// refusal: the expression is right, and excludes tunables that do not run, as
	// a constraint does, or a launch beyond the device's limits.
	refusal bool
}

func (f *fault) Error() string { return f.err.Error() }

func (f *fault) Unwrap() error { return f.err }

// Position is where the config has the expression, for the plan to blame; it has
// no line in the worker, whose config has no positions.
func (f *fault) Position() config.Position { return f.of.at }

// faultf blames the expression.
func (x *expression) faultf(format string, args ...any) error {
	return &fault{of: x, err: fmt.Errorf(format, args...)}
}

// refusef says that what the expression gives does not run.
func (x *expression) refusef(format string, args ...any) error {
	return &fault{of: x, err: fmt.Errorf(format, args...), refusal: true}
}

// is words what the expression gives; a bare number is not said twice.
func (x *expression) is(got any, env scope) string {
	if fmt.Sprint(got) == x.text {
		return "this is " + x.text
	}
	return fmt.Sprintf("%s is %v%s", x.text, got, x.with(env))
}

// faultOf is the fault that err is about; nil where it is about none.
func faultOf(err error) *fault {
	var f *fault
	errors.As(err, &f)
	return f
}
