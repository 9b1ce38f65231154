package powermode

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/nvml"
)

// card is a GPU whose settings are variables.
type card struct {
	limit, locked float64
	stuck         bool // silently ignores settings
	noClocks      bool // reports none that can be locked
	denied        error
	calls         []string
}

func (c *card) UUID() (string, error)             { return "GPU-1", nil }
func (c *card) ConfiguredLimit() (float64, error) { return c.limit, nil }
func (c *card) DefaultLimit() (float64, error)    { return 700, nil }
func (c *card) Limits() (float64, float64, error) { return 200, 700, nil }
func (c *card) SMClocks() ([]float64, error) {
	if c.noClocks {
		return nil, errors.New("not supported")
	}
	return []float64{345e6, 900e6, 1200e6, 1500e6, 1980e6}, nil
}
func (c *card) MaxClock(nvml.Domain) (float64, error) { return 1980e6, nil }
func (c *card) Clock(nvml.Domain) (float64, error) {
	if c.locked > 0 {
		return c.locked, nil
	}
	return 1980e6, nil
}
func (c *card) SetLimit(w float64) error {
	c.calls = append(c.calls, "limit")
	if c.denied == nil && !c.stuck {
		c.limit = w
	}
	return c.denied
}
func (c *card) LockClock(hz float64) error {
	c.calls = append(c.calls, "lock")
	if !c.stuck {
		c.locked = hz
	}
	return c.denied
}
func (c *card) UnlockClock() error {
	c.calls = append(c.calls, "unlock")
	c.locked = 0
	return c.denied
}

func gpu(t *testing.T, c *card) *GPU {
	t.Helper()
	g, err := newGPU(c, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	g.settle = 0
	return g
}

func TestGPUModes(t *testing.T) {
	c := &card{limit: 650}
	g := gpu(t, c)
	var ids []string
	for _, m := range g.Modes() {
		ids = append(ids, m.ID)
	}
	if got, want := strings.Join(ids, " "), "default 200W 367W 533W 900MHz 1200MHz 1500MHz 1980MHz"; got != want {
		t.Errorf("modes %s, want %s", got, want)
	}
	if m, err := g.Current(); err != nil || m.ID != "650W" {
		t.Errorf("current mode %s, %v, want 650W", m.ID, err)
	}
	for list, want := range map[string]string{
		"250W,345MHz": "", "200W,700W": "", "150W": "want a limit from 200W to 700W", "1000MHz": "want one of its 5 clocks from 345MHz to 1980MHz",
		"turbo": "no power mode", "200W,200W": "listed twice",
	} {
		if _, err := Find(g, list); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
	g = gpu(t, &card{limit: 700, noClocks: true})
	if m := g.Modes(); len(m) != 4 {
		t.Errorf("without clocks: modes %v", m)
	}
	if _, err := g.Parse("1200MHz"); err == nil || !strings.Contains(err.Error(), "no clock that can be locked") {
		t.Errorf("a clock of a GPU without: %v", err)
	}
	if c.calls != nil {
		t.Errorf("looking at modes made the calls %v", c.calls)
	}
}

func TestGPUSwitchAndRestore(t *testing.T) {
	for list, unlocks := range map[string]bool{"300W,default": false, "300W,1200MHz": true, "300W,1200MHz,default": true} {
		c := &card{limit: 650}
		g := gpu(t, c)
		modes, err := Find(g, list)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Begin(g, modes, filepath.Join(t.TempDir(), "note"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modes {
			if err := s.Set(m); err != nil {
				t.Error(err)
			}
			want := map[string][2]float64{"300W": {300, 0}, "1200MHz": {700, 1200e6}, "default": {700, 0}}[m.ID]
			if c.limit != want[0] || c.locked != want[1] {
				t.Errorf("%s: limit %v W, locked at %v Hz, want %v", m.ID, c.limit, c.locked, want)
			}
		}
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		// Restore frees a clock only if modes locked it, not if somebody else
		// did.
		if got := strings.Contains(strings.Join(c.calls, " "), "lock"); c.limit != 650 || c.locked != 0 || got != unlocks {
			t.Errorf("%s: restored to %v W, locked at %v Hz, calls %v", list, c.limit, c.locked, c.calls)
		}
	}
}

// A limit may be half a watt off, as drivers round it, and a clock 20 MHz high;
// one that the idle GPU holds lower is locked all the same.
func TestGPUTolerance(t *testing.T) {
	for _, c := range []struct {
		mode          string
		limit, locked float64
		good          bool
	}{
		{"300W", 300.5, 0, true}, {"300W", 299.5, 0, true}, {"300W", 300.6, 0, false}, {"300W", 299.4, 0, false},
		{"1200MHz", 700, 1220e6, true}, {"1200MHz", 700, 1221e6, false}, {"1200MHz", 700, 345e6, true},
	} {
		g := gpu(t, &card{limit: c.limit, locked: c.locked, stuck: true})
		m, err := g.Parse(c.mode)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Set(m); (err == nil) != c.good {
			t.Errorf("%s at %g W and %g MHz: %v", c.mode, c.limit, c.locked/1e6, err)
		}
	}
}

func TestGPUModeThatDoesNotTake(t *testing.T) {
	g := gpu(t, &card{limit: 650, stuck: true})
	for _, c := range []struct{ mode, want string }{
		{"300W", "did not take: the power limit is 650 W, want 300"},
	} {
		m, _ := g.Parse(c.mode)
		if err := g.Set(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.mode, err, c.want)
		}
	}
	g = gpu(t, &card{limit: 700, stuck: true})
	m, _ := g.Parse("1200MHz")
	if err := g.Set(m); err == nil || !strings.Contains(err.Error(), "the SM clock is 1980 MHz, want 1200") {
		t.Errorf("a clock that is not locked: %v", err)
	}
	g = gpu(t, &card{limit: 700, denied: &nvml.Error{Call: "nvmlDeviceSetPowerManagementLimit", Code: 4}})
	if _, err := Begin(g, nil, filepath.Join(t.TempDir(), "note")); !errors.Is(err, ErrPermission) || !strings.Contains(err.Error(), "sudo") {
		t.Errorf("without permission: %v", err)
	}
}
