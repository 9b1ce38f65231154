package framework

import (
	"fmt"
	"slices"
	"sync"

	"example.org/bench/gpu"
)

// Parameters of how an application uses a version. Every algorithm has them, unless it has its own
// parameter of that name.
const (
	RateParam     = "rate_hz"
	DeadlineParam = "deadline_s"
	WaitParam     = "wait"
	MemoryParam   = "memory"
)

// Values of these parameters.
const (
	MaxRate        = "max"    // the highest rate that meets its deadlines
	PeriodDeadline = "period" // the next release
	SleepWait      = "sleep"  // until a release, and until a GPU is done
	SpinWait       = "spin"
)

// UsageParams returns the parameters of a usage. A parameter that a config does not name has no
// effect and no column in its runs. Without any, runs are back to back.
func UsageParams() []Param {
	return []Param{
		{Name: RateParam, Doc: "releases per second, or max: the highest rate that meets its deadlines", Unit: "Hz",
			Kind: Float, Min: 1e-3, Max: 1e6, Choices: []string{MaxRate}},
		{Name: DeadlineParam, Doc: "how long after its release a run must have ended; period: at the next release", Unit: "s",
			Kind: Float, Default: TextValue(PeriodDeadline), Min: 1e-9, Max: 1e6, Choices: []string{PeriodDeadline}},
		{Name: WaitParam, Doc: "how releases and a GPU's end are waited for", Kind: Text, Default: TextValue(SleepWait),
			Choices: []string{SleepWait, SpinWait}},
		{Name: MemoryParam, Doc: "what a GPU version's buffers are: the device's memory, the host's mapped into its addresses, or managed", Kind: Text,
			Choices: []string{string(gpu.DeviceMemory), string(gpu.MappedMemory), string(gpu.ManagedMemory)}},
		{Name: TimedParam, Doc: "what is timed of a GPU version: its kernels, or from inputs in the host's memory to the answer there", Kind: Text,
			Choices: []string{KernelTimed, AnswerTimed}},
		{Name: HostParam, Doc: "what the host's arrays are, where they are copied within the timed part: pageable, or pinned (page-locked)", Kind: Text,
			Choices: []string{PageableHost, PinnedHost}},
		{Name: LaunchParam, Doc: "how a run of a GPU version is queued: on its stream, call by call, or as one CUDA graph that was recorded before", Kind: Text,
			Choices: []string{StreamLaunch, GraphLaunch}},
		{Name: BesideParam, Doc: "load on the processors and their memory meanwhile: none, or cpu:THREADS, bandwidth_Bps:BYTES_PER_SECOND, gpu:SHARE_OF_TIME, gpu_bandwidth_Bps:BYTES_PER_SECOND, several with + between them", Kind: Text},
	}
}

// usageNames returns the names of UsageParams.
var usageNames = sync.OnceValue(func() (names []string) {
	for _, p := range UsageParams() {
		names = append(names, p.Name)
	}
	return names
})

// UsageParam returns the parameter of a usage with this name, or nil.
func UsageParam(name string) *Param {
	if !slices.Contains(usageNames(), name) { // fast path: large runs ask this for most rows
		return nil
	}
	all := UsageParams()
	return &all[slices.IndexFunc(all, func(p Param) bool { return p.Name == name })]
}

// UsageOf returns the settings of a usage, completed by the defaults that follow from other
// settings, and their names in order.
func UsageOf(v Values) (all Values, order []string) {
	all = v.Clone()
	for _, p := range UsageParams() {
		if !all[p.Name].IsSet() && all[RateParam].IsSet() && p.Default.IsSet() {
			all[p.Name] = p.Default
		}
		if p.Name == HostParam && !all[p.Name].IsSet() && v.Text(TimedParam) == AnswerTimed {
			all[p.Name] = TextValue(PageableHost)
		}
		if all[p.Name].IsSet() {
			order = append(order, p.Name)
		}
	}
	return all, order
}

// CheckUsage returns an error for settings of a usage that do not fit together.
func CheckUsage(v Values) error {
	if _, err := ParseBeside(v.Text(BesideParam)); err != nil {
		return err
	}
	if v[HostParam].IsSet() && !v[TimedParam].IsSet() {
		return fmt.Errorf("%s is of arrays that are copied within the timed part, and there is no %s; set that to %s or leave %s out", HostParam, TimedParam, AnswerTimed, HostParam)
	}
	if v[RateParam].IsSet() {
		return nil
	}
	for _, name := range []string{DeadlineParam, WaitParam} {
		if v[name].IsSet() {
			return fmt.Errorf("%s is of runs at a rate, and there is no %s; set it or leave %s out", name, RateParam, name)
		}
	}
	return nil
}
