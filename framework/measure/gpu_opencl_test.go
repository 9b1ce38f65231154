package measure

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
	"example.org/bench/gpu/opencl/opencltest"
)

// What stamps of five commands of a millisecond each, a millisecond apart, show of a clock.
func TestStampsThatAreWrong(t *testing.T) {
	commands := func(clock func(i int, ns uint64, end bool) uint64) (list []stamped) {
		for i := range 5 {
			start := uint64(1e12 + 2e6*i)
			list = append(list, stamped{Stamps: opencl.Stamps{Start: clock(i, start, false), End: clock(i, start+1e6, true)}, host: 1.1e-3})
		}
		return list
	}
	for _, c := range []struct {
		name  string
		clock func(i int, ns uint64, end bool) uint64
		want  string
	}{
		{"good", func(_ int, ns uint64, _ bool) uint64 { return ns }, ""},
		{"steps of a microsecond", func(_ int, ns uint64, _ bool) uint64 { return ns / 1000 * 1000 }, ""},
		{"zero", func(int, uint64, bool) uint64 { return 0 }, "all time stamps of its events are zero"},
		{"one of zero", func(i int, ns uint64, _ bool) uint64 {
			if i == 2 {
				return 0
			}
			return ns
		}, "1 of 5 events have time stamps of zero"},
		{"backwards within an event", func(i int, ns uint64, end bool) uint64 {
			if i == 3 && end {
				return ns - 2e6
			}
			return ns
		}, "1 of 5 events end before they start"},
		{"backwards from event to event", func(i int, ns uint64, _ bool) uint64 { return 2e12 - 4e6*uint64(i) + ns%2e6 }, "its clock goes backwards from event to event"},
		{"another epoch, later", func(_ int, ns uint64, end bool) uint64 {
			if end {
				return ns + 1e15
			}
			return ns
		}, "start and end of its events are of different clocks: they are 1000000 s apart"},
		{"another epoch, earlier", func(_ int, ns uint64, end bool) uint64 {
			if end {
				return ns - 9e11
			}
			return ns
		}, "start and end of its events are of different clocks"},
		{"numbers in the place of times", func(_ int, _ uint64, end bool) uint64 {
			if end {
				return 3
			}
			return 2
		}, "all its events have the same time stamps, from 2 to 3"},
		{"no duration", func(i int, _ uint64, _ bool) uint64 { return uint64(1000 * (i + 1)) }, "its events start and end at the same time"},
		{"overlapping", func(_ int, ns uint64, end bool) uint64 {
			if end {
				return ns + 1.5e6
			}
			return ns
		}, "its events overlap, by 500 µs, and the commands did not"},
	} {
		if got := stampsWrong(commands(c.clock)); got != c.want && (c.want == "" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	none := commands(func(_ int, ns uint64, _ bool) uint64 { return ns })
	none[1].failed = errors.New("CL_PROFILING_INFO_NOT_AVAILABLE")
	if got := stampsWrong(none); !strings.Contains(got, "no times (CL_PROFILING_INFO_NOT_AVAILABLE)") {
		t.Error(got)
	}
}

// The step of a clock is what all differences are multiples of, or what the driver claims.
func TestStepOfClock(t *testing.T) {
	list := func(step uint64) (list []stamped) {
		for i := range uint64(20) {
			start := 1e12 + i*i*2345678
			list = append(list, stamped{Stamps: opencl.Stamps{Start: start / step * step, End: (start + 1234567) / step * step}})
		}
		return list
	}
	for _, c := range []struct {
		claimed int64
		step    uint64
		want    float64
	}{{1, 1, 1e-9}, {1, 1000, 1e-6}, {1000, 1, 1e-6}, {0, 52, 52e-9}, {80, 80, 80e-9}} {
		if got := stepOf(c.claimed, list(c.step)); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("claimed %d, steps of %d: %v, want %v", c.claimed, c.step, got, c.want)
		}
	}
}

// A cold sample is the mean of more runs, the coarser the clock is beside one.
func TestRepeatsOfCoarseClock(t *testing.T) {
	for _, c := range []struct {
		step, seconds float64
		byHost        string
		want          int
	}{{1e-9, 1e-5, "", 1}, {1e-6, 1e-3, "", 1}, {1e-6, 1e-4, "", 4}, {1e-6, 1e-5, "", 40}, {1e-6, 1e-7, "", 64}, {1e-6, 1e-5, "why", 1}, {1e-6, 0, "", 1}} {
		timer := &GPUTimer{opencl: &openclTiming{step: c.step, byHost: c.byHost}}
		if got := timer.repeats(c.seconds); got != c.want {
			t.Errorf("%+v: %d runs", c, got)
		}
	}
	if got := (&GPUTimer{}).repeats(1e-9); got != 1 {
		t.Errorf("CUDA: %d runs", got)
	}
}

// A device that is a CPU is accused of idle runs only where these take next to nothing.
func TestIdleShareOfOpenCL(t *testing.T) {
	if cpu, other := openclIdleShare(&gpu.OpenCL{Type: "CPU"}), openclIdleShare(&gpu.OpenCL{Type: "GPU"}); cpu != exchangedShare || other != idleCPUShare {
		t.Errorf("CPU %g, GPU %g", cpu, other)
	}
}

// spins is a version of so many kernels of so many nanoseconds each.
type spins struct {
	framework.GPUAlgorithm
	kernel gpu.Kernel
	ns     uint64
	n      int
}

func (s *spins) Stream() gpu.Stream { return 0 }

func (s *spins) Run() error {
	for range s.n {
		if err := s.kernel.Launch(0, gpu.Launch{}, s.ns); err != nil {
			return err
		}
	}
	return nil
}

// openclTimer opens a timer, again while its times are by what late says, if anything: the host of a busy machine is.
func openclTimer(t *testing.T, d *opencl.Device, m config.Measure, late string) *GPUTimer {
	t.Helper()
	timer, err := NewOpenCLTimer(d, m)
	for try := 0; late != "" && err == nil && try < 20 && strings.Contains(timer.Timing(), late); try++ {
		if err = timer.Close(); err == nil {
			timer, err = NewOpenCLTimer(d, m)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return timer
}

// On a driver whose clock lies in one way after the other, cold and hot times are those of the kernels, and what
// was wrong is named. The kernels of 1 ms, ten a run, take as long as they are told; the host can only add to it.
func TestTimesOfClocksThatLie(t *testing.T) {
	s := opencltest.Build(t)
	for _, c := range []struct {
		clock int64
		why   string // "" for times by events
	}{{0, ""}, {1, "zero"}, {2, "end before they start"}, {3, "of the host's time"}, {4, "different clocks"}, {5, ""}} {
		s.Set("step", 1000)
		s.Set("clock", c.clock)
		d := s.Open(t)
		late := "of the host's time; launching"
		if c.why != "" {
			late = "" // that is what it is to find
		}
		timer := openclTimer(t, d, config.Measure{MinSamples: 5, Timeout: 0.1, Noise: 1, Flush: config.FlushClean}, late)
		if said := timer.Timing(); c.why == "" && !strings.HasPrefix(said, "events, in steps of ") || c.why != "" && (!strings.HasPrefix(said, "the host's clock, because ") || !strings.Contains(said, c.why)) {
			t.Errorf("clock %d: times are by %s", c.clock, said)
		}
		if step := timer.opencl.step; c.clock == 5 && math.Abs(step-1e-6) > 1e-12 {
			t.Errorf("a clock in steps of 1 µs has steps of %v s", step)
		}
		m, k := spinning(t, d)
		run := &spins{kernel: k, ns: 1e6, n: 10}
		for name, series := range map[string]func(framework.GPUAlgorithm) (*Series, error){"cold": timer.Cold, "hot": timer.Hot} {
			got, err := series(run)
			if err != nil {
				t.Fatalf("clock %d, %s: %v", c.clock, name, err)
			}
			least := math.Inf(1) // which others disturbed least
			for _, x := range got.Samples {
				least = min(least, x)
			}
			// By the host's clock a loaded machine may take longer.
			if least < 10e-3*(1-1e-3) || c.why == "" && least > 10e-3*1.5 {
				t.Errorf("clock %d, %s: a run takes %v s at least, want 10 ms", c.clock, name, least)
			}
		}
		doubted := false
		for _, n := range timer.Notes() {
			doubted = doubted || strings.HasPrefix(n, "times are the host's, because ") && strings.Contains(n, c.why)
		}
		if doubted != (c.why != "") {
			t.Errorf("clock %d: the notes doubt the times: %v", c.clock, doubted)
		}
		runs, _, err := timer.Sustain(run, func(_ float64, runs int64) bool { return runs >= 4 })
		if err != nil || runs < 4 {
			t.Errorf("clock %d: sustained %d runs, %v", c.clock, runs, err)
		}
		x, err := timer.Alternate(run, &spins{kernel: k, ns: 1e6, n: 20})
		if err != nil || len(x.A) == 0 || len(x.B) != len(x.A) || slices.Min(x.B) < 20e-3*(1-1e-3) {
			t.Errorf("clock %d: in turns %+v, %v", c.clock, x, err)
		}
		if err := errors.Join(m.Unload(), timer.Close(), d.Close()); err != nil || s.Live() != 0 {
			t.Errorf("clock %d: %v, %d objects are not released", c.clock, err, s.Live())
		}
	}
}

// spinning is the stand-in's kernel that takes as long as it is told.
func spinning(t *testing.T, d gpu.Device) (gpu.Module, gpu.Kernel) {
	t.Helper()
	m, err := d.Compile(gpu.Source{Name: "k.cl", Text: "…"})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("spin")
	if err != nil {
		t.Fatal(err)
	}
	return m, k
}

// A clock that begins to lie after the calibration ends the series with an error.
func TestStampsThatBecomeWrong(t *testing.T) {
	s := opencltest.Build(t)
	d := s.Open(t)
	defer d.Close() //nolint:errcheck // the test has ended
	timer, err := NewOpenCLTimer(d, config.Measure{MinSamples: 5, Timeout: 10, Noise: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Set("clock", 2)
	timer.opencl.inRow = 0
	begin := time.Now()
	for range mostOdd + 1 {
		x, e := timer.time(0, nil, func() error { return timer.opencl.passFor(1) })
		if err = e; err == nil && !x.early {
			t.Fatalf("a sample of %v s is kept", x.seconds)
		}
	}
	if !errors.Is(err, errOddStamps) || time.Since(begin) > time.Minute {
		t.Errorf("after %d samples: %v", mostOdd+1, err)
	}
}

// On a driver that lengthens each command of a queue with time stamps by 4 µs, runs take as long as they do without; on one
// that does not, they keep their own stamps.
func TestTimesWithoutWhatStampsCost(t *testing.T) {
	s := opencltest.Build(t)
	for _, cost := range []int64{0, 4000} {
		s.Set("stamp", cost)
		d := s.Open(t)
		timer := openclTimer(t, d, config.Measure{MinSamples: 5, Timeout: 0.2, Noise: 1, Flush: config.FlushClean}, "the host's clock")
		said := timer.Timing()
		if is := timer.opencl.between && timer.opencl.aside; is != (cost > 0) || is != strings.Contains(said, "they lengthen each command by 4") {
			t.Errorf("stamps cost %d ns: %s", cost, said)
		}
		m, k := spinning(t, d)
		run := &spins{kernel: k, ns: 20_000, n: 3}
		for name, series := range map[string]func(framework.GPUAlgorithm) (*Series, error){"cold": timer.Cold, "hot": timer.Hot} {
			got, err := series(run)
			if err != nil {
				t.Fatalf("stamps cost %d ns, %s: %v", cost, name, err)
			}
			if least := slices.Min(got.Samples) - got.Floor; math.Abs(least/60e-6-1) > 1e-3 {
				t.Errorf("stamps cost %d ns, %s: a run takes %v s at least beyond the floor, want 60 µs", cost, name, least)
			}
		}
		if err := errors.Join(m.Unload(), timer.Close(), d.Close()); err != nil || s.Live() != 0 {
			t.Errorf("stamps cost %d ns: %v, %d objects are not released", cost, err, s.Live())
		}
	}
}
