package search

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/wisdom"
)

// wattmeter is a sensor of the power that the toy's last run is planted to take.
type wattmeter struct{ watts *atomic.Int64 }

func (wattmeter) Name() string { return "meter" }
func (wattmeter) Channels() []framework.Channel {
	return []framework.Channel{{Name: "board", Unit: "W", Role: framework.Total}}
}
func (m wattmeter) Sample(dst []float64) error {
	dst[0] = float64(m.watts.Load()) + 0.001*float64(time.Now().UnixMilli()%7)
	return nil
}
func (wattmeter) Notes() []string    { return nil }
func (wattmeter) Close() error       { return nil }
func (wattmeter) Averaging() float64 { return 0 }

// planted are the watts of the toy's runs: A = 3, the fastest at 1 ms, takes 100 W; A = 2
// takes 2 ms and 20 W; A = 1 takes 5 ms and 50 W, so that it is on no front.
var planted = map[string]int64{"A=1": 50, "A=2": 20, "A=3": 100}

func (y *toy) metered(o Options) Options {
	m := wattmeter{&atomic.Int64{}}
	m.watts.Store(5)
	y.ran = func(what string) {
		for point, watts := range planted {
			if strings.Contains(what, point) {
				m.watts.Store(watts)
			}
		}
	}
	o.Objective = Front
	o.Local.Sensors = []framework.SensorFactory{{Name: "meter", Open: func(framework.SensorEnv) (framework.Sensor, error) { return m, nil }}}
	return o
}

// TestSearchFindsTheFront that is planted, and says so in all its files.
func TestSearchFindsTheFront(t *testing.T) {
	var y *toy
	var dir string
	var o Options
	var s *Search
	var r *Report
	// On a busy machine a window may have no reading: that point is on no front then.
	for range 10 {
		y, dir = &toy{}, t.TempDir()
		o = y.metered(y.options("best"))
		o.Confirm, o.Wisdom = 1, filepath.Join(dir, "wisdom.json")
		c := y.subject(t, `"versions": ["real"], "tunables": {"A": [1, 2, 3, 4], "B": [2]}, "measure": {"ceilings": false, "power_window_s": 0.3}`)
		c.Config.Sensors = nil // all there are
		var err error
		if s, err = Open(t.Context(), c, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		if err := s.Run(t.Context(), journalIn(t, dir), nil, &show{}); errors.Is(err, errNoReading) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if r, err = s.Write(safefiletest.Hold(t, dir)); err != nil {
			t.Fatal(err)
		}
		if f := r.Tasks[0].Front; f != nil && len(f.Points) == 2 {
			break
		}
	}
	if r == nil {
		t.Fatal("no search had a reading")
	}
	figures, err := r.Figures(s.Rows(r))
	if err != nil {
		t.Fatal(err)
	}
	x := r.Tasks[0]
	if x.Evaluations != 4 || x.Invalid != 1 || x.Tunables.Int("A") != 3 || x.Left != nil || len(figures) != 2 { // convergence and the front
		t.Errorf("%d evaluations, %d invalid, fastest A = %d, %d figures", x.Evaluations, x.Invalid, x.Tunables.Int("A"), len(figures))
	}
	f := x.Front
	if f == nil || !f.Again || len(f.Points) != 2 || f.Points[0].Tunables.Int("A") != 3 || f.Points[1].Tunables.Int("A") != 2 {
		t.Fatalf("%+v", f)
	}
	// At least 1 ms · 100 W and 2 ms · 20 W; a busy machine takes longer, and more energy.
	for i, least := range []float64{0.1, 0.04} {
		if e := f.Points[i].Energy; e.Value < 0.99*least || e.Low >= e.Value || e.High <= e.Value {
			t.Errorf("%+v, want at least %v J", e, least)
		}
	}
	if d := f.Defaults; d == nil || d.Tunables.Int("A") != 1 || d.Energy.Value < f.Points[1].Energy.Value {
		t.Errorf("defaults %+v", f.Defaults)
	}
	set := f.set()
	if ref := set.Reference(); f.Hypervolume != set.Hypervolume(ref) || f.ReferenceTime != ref.X || f.ReferenceEnergy != ref.Y || !(f.Hypervolume > 0) {
		t.Errorf("%+v", f)
	}
	read, err := Read(dir)
	if err != nil || !slices.EqualFunc(read.Tasks[0].Front.Points, f.Points, func(a, b FrontPoint) bool { return a.Time == b.Time && a.Energy == b.Energy }) {
		t.Errorf("read back: %+v, %v", read, err)
	}
	space, err := recorded.Open(filepath.Join(dir, SpacesDir, x.Recorded+".csv.gz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(space.Front()) != 2 || slices.ContainsFunc(space.Energies, func(e float64) bool { return e <= 0 }) || !math.IsNaN(space.Energies[3]) {
		t.Errorf("recorded %v, %v", space.Costs, space.Energies)
	}
	rows, err := r.Trials(dir)
	if err != nil || rows[0][0].Energy <= 0 {
		t.Errorf("%+v, %v", rows, err)
	}
	if kept, err := s.KeepWisdom(r); kept.Added != 2 || err != nil {
		t.Errorf("%+v, %v", kept, err)
	}
	w, err := wisdom.Open(s.Wisdom)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range w.Entries {
		if want := map[string]int64{"time": 3, "energy": 2}[e.Objective]; e.Tunables.Int("A") != want || e.DefaultCost <= e.Cost {
			t.Errorf("%+v", e)
		}
	}
}

// TestFrontOfTrials is what an interrupted search has: nothing is measured again.
func TestFrontOfTrials(t *testing.T) {
	estimate := func(time, energy float64) FrontPoint {
		return FrontPoint{Time: Estimate{Value: time}, Energy: Estimate{Value: energy}}
	}
	f := frontOf([]FrontPoint{estimate(2, 10), estimate(3, 20), estimate(1, 30)}, false)
	if len(f.Points) != 2 || f.Points[0].Time.Value != 1 || f.Again || f.Hypervolume == 0 {
		t.Errorf("%+v", f)
	}
	if ends := f.ends(); ends[Time].Time.Value != 1 || ends[Energy].Energy.Value != 10 {
		t.Errorf("%+v", ends)
	}
}
