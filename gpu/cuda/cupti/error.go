package cupti

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/internal/terminal"
)

// Result is a CUptiResult.
type Result int32

// The results that this package acts on.
const (
	success                  Result = 0
	errInvalidMetricName     Result = 17
	errNotInitialized        Result = 15
	errHardwareBusy          Result = 26
	errNotSupported          Result = 27
	errVirtualized           Result = 33
	errPrivileges            Result = 35
	errMultipleSubscribers   Result = 39
	errVirtualizedPrivileges Result = 40
	errConfidential          Result = 41
	errInvalidParameter      Result = 1
)

// Error is a failed call with its circumstances.
type Error struct {
	Call    string // e.g. "cuptiRangeProfilerEnable"
	Code    Result
	Name    string // the library's name of the code
	Size    int    // of the parameters
	Library string // file and version
	Chip    string // empty while it is not known
	Admin   string // what the driver says about who may count
	Why     string // what the library says is not supported
}

func (e *Error) Error() string {
	var b strings.Builder
	name := e.Name
	if name == "" {
		name = "CUPTI error"
	}
	fmt.Fprintf(&b, "%s: %s (%d", e.Call, name, e.Code)
	fmt.Fprintf(&b, "; %s", e.Library)
	if e.Chip != "" {
		fmt.Fprintf(&b, "; chip %s", e.Chip)
	}
	fmt.Fprintf(&b, "; parameters of %s)", terminal.Count(e.Size, "byte"))
	if e.Why != "" {
		fmt.Fprintf(&b, ": %s", e.Why)
	}
	if h := e.help(); h != "" {
		b.WriteString("; " + h)
	}
	return b.String()
}

// help returns advice on the error; it is empty where there is none.
func (e *Error) help() string {
	switch e.Code {
	case errPrivileges:
		text := "counters are for administrators only here (ERR_NVGPUCTRPERM): run as root or with CAP_SYS_ADMIN (a container: --cap-add SYS_ADMIN), " +
			"or allow all users by \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" in /etc/modprobe.d and a restart"
		if e.Admin != "" {
			text += " (" + e.Admin + ")"
		}
		return text
	case errVirtualized, errVirtualizedPrivileges:
		return "the hypervisor must allow counters for this virtual GPU"
	case errConfidential:
		return "confidential computing is on, and refuses counters"
	case errHardwareBusy, errMultipleSubscribers:
		return "another profiler uses the counters: end it (ncu, nsys), or pause it (DCGM: dcgmi profile --pause)"
	case errNotInitialized:
		return "the library did not reach the driver: libnvperf_host.so and libnvperf_target.so belong beside libcupti, and the driver must be of its CUDA release or later"
	case errNotSupported:
		return "this GPU, driver or system has no range profiler"
	case errInvalidParameter:
		return "the library has other parameters than these of CUDA 12.6 to 13"
	}
	return ""
}

// Refused reports whether the system does not allow counters at all.
func Refused(err error) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains([]Result{errNotSupported, errVirtualized, errPrivileges, errVirtualizedPrivileges, errConfidential}, e.Code)
}

// UnknownMetrics is the error for names that a chip does not have.
type UnknownMetrics struct {
	Names []string
	Chip  string
	// Known are names that may be meant.
	Known []string
}

func (e *UnknownMetrics) Error() string {
	return fmt.Sprintf("chip %s has no metric %s", e.Chip, strings.Join(e.Names, ", "))
}

// cString returns s as a C string.
func cString(s string) *byte {
	b := append([]byte(s), 0)
	return &b[0]
}
