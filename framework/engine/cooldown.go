package engine

import (
	"context"
	"fmt"
	"maps"
	"math"
	"time"

	"bench/framework"
	"bench/framework/machine"
	"bench/framework/measure"
	"bench/framework/plan"
	"bench/framework/record"
)

// cooling waits between points whose power is measured until the machine is as
// cool as before the first.
type cooling struct {
	engine *Engine
	limit  time.Duration // 0: never wait
	start  map[string]map[string]float64
	hot    bool // the last point's power was measured
}

func (e *Engine) cooling() *cooling {
	return &cooling{engine: e, limit: time.Duration(e.opt.Config.Measure.CoolDown * float64(time.Second)),
		start: map[string]map[string]float64{}}
}

// before waits before a point; the note says if that was not enough.
func (c *cooling) before(ctx context.Context, p plan.Point, observer Observer) (note string) {
	if c.limit == 0 || p.Skip != "" || p.Device == "sim" || c.engine.opt.VerifyOnly {
		return ""
	}
	read := func() (map[string]float64, error) {
		rep, err := c.engine.ask(ctx, request{Op: "temperatures", Device: p.Device}, probeTimeout, func(*reply) {})
		if err != nil {
			return nil, err
		}
		return rep.Temperatures, nil
	}
	if c.start[p.Device] == nil {
		if start, err := read(); err == nil {
			c.start[p.Device] = start
		}
	}
	if !c.hot || len(c.start[p.Device]) == 0 {
		return ""
	}
	observer.Phase(p, PhaseCool)
	above, err := measure.CoolDown(c.start[p.Device], c.limit, read, func(d time.Duration) bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(d):
			return true
		}
	})
	if err != nil || !measure.StillWarm(above) {
		return "" // the point will report a failing worker
	}
	return fmt.Sprintf("began %.3g °C warmer than the first point, after %g s of cooling (measure.cooldown_s)", above, c.limit.Seconds())
}

func (c *cooling) after(r *record.Result) {
	if r.Status != record.Skipped {
		c.hot = r.Energy != nil && r.Energy.Absent == ""
	}
}

// temperatures are the machine's and those of the device's sensors.
func (w *worker) temperatures(device string) map[string]float64 {
	found := machine.Tree(w.setup.Root).Temperatures()
	if processorOf(device) == framework.GPU && w.setup.Config.Executable == "" {
		if _, err := w.open(device); err != nil { // its sensors are found by it
			return found
		}
	}
	if meter := w.sensors(processorOf(device)).meter; meter != nil {
		maps.Copy(found, meter.Temperatures())
	}
	maps.DeleteFunc(found, func(_ string, t float64) bool { return math.IsNaN(t) })
	return found
}
