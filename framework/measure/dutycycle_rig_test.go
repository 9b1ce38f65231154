package measure

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// rig is a sensor of channels with any value at a time, and a load that it sees.
type rig struct {
	clock    *virtualClock
	channels []framework.Channel
	value    func(r *rig, channel int, t float64) float64
	reads    []float64 // when
	on       []span    // of the load
	fails    int       // the run of the load that fails; 0: none
}

var errNoKernel = errors.New("no kernel")

func (r *rig) Name() string                  { return "rig" }
func (r *rig) Channels() []framework.Channel { return r.channels }
func (r *rig) Notes() []string               { return nil }
func (r *rig) Close() error                  { return nil }
func (r *rig) Sample(dst []float64) error {
	r.clock.t += 1e-4
	r.reads = append(r.reads, r.clock.t)
	for i := range dst {
		dst[i] = r.value(r, i, r.clock.t)
	}
	return nil
}

func (r *rig) load(seconds float64) error {
	begin := r.clock.t
	r.on = append(r.on, span{begin, begin + seconds})
	r.clock.sleep(seconds)
	r.on[len(r.on)-1].to = r.clock.t
	if len(r.on) == r.fails {
		return errNoKernel
	}
	return nil
}

func (r *rig) probe() (map[string]Seen, error) {
	r.clock = &virtualClock{t: 20}
	return dutyCycle(r, r.load, r.clock, rand.New(rand.NewPCG(9, 3)))
}

// TestDutyCycleSwitches a load a hundred times, on and off for a tenth to the whole of the
// longest update period of a power, reads forty times a period, and at last waits for two.
func TestDutyCycleSwitches(t *testing.T) {
	each := []float64{0.05, 0.4, 0.6, 0.7} // seconds between a channel's values
	r := &rig{fails: 100, channels: []framework.Channel{{Name: "a", Unit: "W"}, {Name: "b", Unit: "W"}, {Name: "c", Unit: "J", Counter: true}, {Name: "d", Unit: "W", Counter: true}}}
	r.value = func(_ *rig, i int, t float64) float64 { return math.Floor(t / each[i]) }
	if found, err := r.probe(); !errors.Is(err, errNoKernel) || found != nil || len(r.on) != 100 {
		t.Fatalf("%v, %v after %d runs of the load", found, err, len(r.on))
	}
	var on, off []float64
	for i, s := range r.on {
		if on = append(on, s.length()); i > 0 {
			off = append(off, s.from-r.on[i-1].to)
		}
	}
	for name, x := range map[string][]float64{"on": on, "off": off} {
		if low, high := slices.Min(x), slices.Max(x); low < 0.0399 || low > 0.06 || high > 0.4005 || high < 0.38 {
			t.Errorf("%s for %v to %v s", name, low, high)
		}
	}
	last := r.on[99].to
	if after := r.clock.t - last; math.Abs(after-0.8) > 1e-3 {
		t.Errorf("read for %v s more", after)
	}
	from, _ := slices.BinarySearch(r.reads, r.on[0].from)
	for i := from + 1; i < len(r.reads); i++ {
		if each := r.reads[i] - r.reads[i-1]; math.Abs(each-0.01) > 1e-3 {
			t.Fatalf("read again after %v s", each)
		}
	}
}

// TestDutyCycleLeavesOut channels that are no power, do not change, or do so too seldom; it is
// an error where none is left.
func TestDutyCycleLeavesOut(t *testing.T) {
	names := []string{"power", "still", "stops", "energy"}
	r := &rig{}
	for _, name := range names {
		r.channels = append(r.channels, framework.Channel{Name: name, Unit: "W"})
	}
	r.channels[3].Unit, r.channels[3].Counter = "J", true
	r.value = func(r *rig, i int, t float64) float64 {
		switch i {
		case 0: // of 50 ms before each update
			at := 0.1 * math.Floor(t/0.1)
			return 50 + at/1e3 + 300*overlap(r.on, at-0.05, at)/0.05
		case 2:
			return math.Floor(min(t, 22) / 0.1)
		case 3:
			return math.Floor(t / 0.1)
		}
		return 5
	}
	if found, err := r.probe(); err != nil || len(found) != 1 || math.Abs(found["power"].Window-0.05) > 0.003 {
		t.Errorf("%+v, %v", found, err)
	}
	r.on, r.channels[0].Unit = nil, "V"
	if found, err := r.probe(); found != nil || err == nil || !strings.HasPrefix(err.Error(), "rig stops: ") || !strings.Contains(err.Error(), "new values while the load changed") {
		t.Errorf("%+v, %v", found, err)
	}
	r.channels, r.value = r.channels[1:2], func(*rig, int, float64) float64 { return 5 }
	if _, err := r.probe(); err == nil || err.Error() != "rig: no channel of power changes" {
		t.Error(err)
	}
}
