package engine

import (
	"errors"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/gpu/cuda/sim"
)

// cause returns the kind of a plugin's error.
func cause(err error) record.Cause {
	var refused *gpu.CompileError
	var limited *hostcompiler.Limited
	var fault *sim.Fault
	var idle *measure.Idle
	var differs *measure.Differs
	var clock *measure.Clock
	switch {
	case errors.As(err, &refused), errors.As(err, &limited):
		return record.NotCompiled
	case errors.As(err, &fault) && fault.Left():
		return record.LeftBehind
	case errors.As(err, &fault) && !errors.Is(err, sim.ErrLimit):
		return record.Mistake
	case errors.Is(err, framework.ErrCodeChanged):
		return record.ChangedCode
	case errors.As(err, &clock):
		return record.ChangedClock
	case errors.As(err, &idle):
		return record.IdleRun
	case errors.As(err, &differs):
		return record.TimedRun
	}
	return ""
}
