package driver

import (
	"errors"
	"fmt"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
)

// Result is a CUresult.
type Result int32

// The results that this package acts on.
const (
	success                 Result = 0
	errInvalidValue         Result = 1
	errOutOfMemory          Result = 2
	errNotInitialized       Result = 3
	errStubLibrary          Result = 34
	errInsufficientDriver   Result = 35
	errDeviceUnavailable    Result = 46
	errNoDevice             Result = 100
	errNoBinaryForGPU       Result = 209
	errUnsupportedPTX       Result = 222
	errOperatingSystem      Result = 304
	errNotReady             Result = 600
	errLaunchOutOfResources Result = 701
	errCooperativeTooLarge  Result = 720
	errSystemNotReady       Result = 802
	errSystemDriverMismatch Result = 803
	errCompatNotSupported   Result = 804
	errUnknown              Result = 999
)

// ErrUnsupported is wrapped by the error of a call that the driver is too old for.
var ErrUnsupported = errors.New("not supported by this driver")

// Error is a failed driver call.
type Error struct {
	Call string // e.g. "cuMemAlloc"
	Code Result
	Name string // e.g. "CUDA_ERROR_OUT_OF_MEMORY"
	Text string // the driver's sentence; may be empty
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Call + ": ")
	if e.Name != "" {
		b.WriteString(e.Name)
	} else {
		fmt.Fprintf(&b, "CUDA error %d", e.Code)
	}
	if e.Text != "" {
		b.WriteString(" (" + e.Text + ")")
	}
	return b.String()
}

// Is reports whether target is gpu.ErrOutOfMemory and the result is out of memory.
func (e *Error) Is(target error) bool {
	return target == gpu.ErrOutOfMemory && e.Code == errOutOfMemory
}

// Code returns the driver's result inside err; 0 if err has none.
func Code(err error) Result {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return success
}

// check turns a result other than success into an *Error.
func (a *api) check(call string, r Result) error {
	if r == success {
		return nil
	}
	e := &Error{Call: call, Code: r}
	var text *byte
	if a.getErrorName(r, &text) == success {
		e.Name = dynlib.String(text)
	}
	text = nil
	if a.getErrorString(r, &text) == success {
		e.Text = dynlib.String(text)
	}
	return e
}

// untilZero returns the C string in b.
func untilZero(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
