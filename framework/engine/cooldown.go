package engine

import (
	"context"
	"fmt"
	"maps"
	"time"

	"bench/framework"
	"bench/framework/machine"
	"bench/framework/measure"
	"bench/framework/plan"
)

// cooling keeps how warm each device was before its first point: a point whose
// power is measured cools down to that once it was timed. Of a temperature that had no
// reading then, such as of a GPU that was switched off, the first one before a later
// point counts.
type cooling struct {
	engine *Engine
	start  map[string]map[string]float64 // by device and sensor
}

func (e *Engine) cooling() *cooling {
	return &cooling{engine: e, start: map[string]map[string]float64{}}
}

// before returns the temperatures to cool down to; nil where nothing cools.
func (c *cooling) before(ctx context.Context, p plan.Point) map[string]float64 {
	opt := c.engine.opt
	if opt.Config.Measure.CoolDown == 0 || p.Skip != "" || p.Device == "sim" || opt.VerifyOnly {
		return nil
	}
	rep, err := c.engine.ask(ctx, request{Op: "temperatures", Device: p.Device}, probeTimeout, func(*reply) {})
	if err != nil {
		return c.start[p.Device] // the point will report a failing worker
	}
	first := maps.Clone(c.start[p.Device])
	if first == nil {
		first = map[string]float64{}
	}
	for name, t := range rep.Temperatures {
		if _, had := first[name]; !had {
			first[name] = t
		}
	}
	c.start[p.Device] = first
	return c.start[p.Device]
}

// coolDown waits before power is measured; the note says if that was not enough.
func (w *worker) coolDown(device string, start map[string]float64) (note string) {
	if len(start) == 0 {
		return ""
	}
	limit := time.Duration(w.setup.Config.Measure.CoolDown * float64(time.Second))
	first := true
	above := measure.CoolDown(start, limit, func() map[string]float64 { return w.temperatures(device) }, func(d time.Duration) {
		if first {
			first = false
			w.phase(PhaseCool)
		}
		time.Sleep(d)
	})
	if !measure.StillWarm(above) {
		return ""
	}
	return fmt.Sprintf("power: began %.3g °C warmer than the first point, after %g s of cooling (measure.cooldown_s)", above, limit.Seconds())
}

// temperatures are the machine's and those of the device's sensors.
func (w *worker) temperatures(device string) map[string]float64 {
	found := machine.Tree(w.setup.Root).Temperatures()
	if processorOf(device) == framework.GPU && w.setup.Config.Executable == "" && w.setup.Config.Command == nil {
		if _, err := w.open(device); err != nil { // its sensors are found by it
			return found
		}
	}
	if meter := w.sensors(processorOf(device)).meter; meter != nil {
		maps.Copy(found, meter.Temperatures())
	}
	maps.DeleteFunc(found, func(_ string, t float64) bool { return !machine.IsTemperature(t) })
	return found
}
