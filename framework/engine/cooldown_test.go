package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// A point that was timed cools down to the first one's starting temperature before
// its power is measured.
func TestCoolsDownBeforePower(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(o *Options) {
		o.Config.Sensors = []string{"meter"}
		o.Config.Measure.CoolDown = 0.3
		o.Trial = true
	})
	heat(t, b.opt.Root, "40")
	var kept []record.Result
	err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1), pointOf("ok", 2), pointOf("wrong", 2), pointOf("ok", 3)}, nil, nil, watcher{b.log}, Keep(func(r record.Result) error {
		heat(t, b.opt.Root, []string{"80", "80", "40", "40"}[len(kept)])
		kept = append(kept, r)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Join(b.log.take(), "\n")
	if got, want := strings.Count(log, PhaseCool), measurings(kept[1]); got != want {
		t.Errorf("%d cool-downs, want %d: none of the cool points, none of one without power\n%s", got, want, log)
	}
	timed, cooled, power := strings.Index(log, "ok 2: "+PhaseHot), strings.Index(log, PhaseCool), strings.LastIndex(log[:strings.Index(log, "wrong")], PhasePower)
	if cooled < timed || power < cooled {
		t.Errorf("not cooled between timing and power:\n%s", log)
	}
	warm := "power: began 40 °C warmer than the first point, after 0.3 s of cooling (measure.cooldown_s)"
	for i, want := range []bool{false, true, false, false} {
		if slices.Contains(kept[i].Notes, warm) != want {
			t.Errorf("point %d: %q", i, kept[i].Notes)
		}
	}
	if kept[0].Energy == nil || kept[0].Energy.Absent != "" || !strings.Contains(log, PhasePower) {
		t.Errorf("%+v", kept[0].Energy)
	}
}

// A zone that is off at first, and shows so by a number, is cooled down to what it reads
// before the first point that finds it on.
func TestCoolsDownToTheFirstReading(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(o *Options) {
		o.Config.Sensors = []string{"meter"}
		o.Config.Measure.CoolDown = 0.3
		o.Trial = true
	})
	heat(t, b.opt.Root, "40")
	zones := filepath.Join(b.opt.Root, "sys/class/thermal")
	if err := os.Rename(filepath.Join(zones, "thermal_zone0"), filepath.Join(zones, "thermal_zone1")); err != nil { // it is always on
		t.Fatal(err)
	}
	heat(t, b.opt.Root, "-256")
	var kept []record.Result
	err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1), pointOf("ok", 2), pointOf("ok", 3), pointOf("ok", 1)}, nil, nil, watcher{b.log}, Keep(func(r record.Result) error {
		heat(t, b.opt.Root, []string{"41", "41", "60", "-256"}[len(kept)])
		kept = append(kept, r)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	warm := "power: began 19 °C warmer than the first point, after 0.3 s of cooling (measure.cooldown_s)"
	for i, want := range []bool{false, false, false, true} {
		if got := slices.ContainsFunc(kept[i].Notes, func(n string) bool { return strings.Contains(n, "warmer") }); got != want || want && !slices.Contains(kept[i].Notes, warm) {
			t.Errorf("point %d: %q", i, kept[i].Notes)
		}
	}
	if got, want := strings.Count(strings.Join(b.log.take(), "\n"), PhaseCool), measurings(kept[3]); got != want {
		t.Errorf("%d cool-downs, want %d: %q", got, want, kept[3].Notes)
	}
}

// measurings is how often a point was measured: again where its worker stood still.
func measurings(r record.Result) (times int) {
	times = 1
	for _, note := range r.Notes {
		if strings.Contains(note, "measured again") {
			times++
		}
	}
	return times
}

// A point has time to cool down for where there is a temperature to come to, and only there.
func TestAllows(t *testing.T) {
	e := &Engine{opt: Options{Config: &config.Config{Measure: config.Measure{PointTimeout: 2, CoolDown: 10}}}}
	for want, start := range map[time.Duration]map[string]float64{2 * time.Second: nil, 12 * time.Second: {"GPU": 40}} {
		if got := e.allows(start); got != want {
			t.Errorf("%v for %v; want %v", got, start, want)
		}
	}
	e.opt.Config.Measure.Stages = true
	if got := e.allows(nil); got != 4*time.Second {
		t.Errorf("%v with stages", got)
	}
	if e.opt.Trial = true; e.allows(nil) != 2*time.Second {
		t.Error("a trial, which has no stages, may take longer with them")
	}
}
