package engine

import (
	"context"
	"fmt"
	"maps"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// cooling keeps the temperatures of each device before its first point. A point whose power is
// measured cools down to these after its timing. For a sensor that had no reading then, such as
// that of a GPU that was switched off, the first reading before a later point counts.
type cooling struct {
	engine *Engine
	start  map[string]map[string]float64 // by device and sensor
}

func (e *Engine) cooling() *cooling {
	return &cooling{engine: e, start: map[string]map[string]float64{}}
}

// before returns the temperatures to cool down to, or nil if nothing cools down.
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

// coolDown waits before power is measured. The note says if that was not enough.
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

// temperatures returns the temperatures of the machine and of the device's sensors.
func (w *worker) temperatures(device string) map[string]float64 {
	found := machine.Tree(w.setup.Root).Temperatures()
	if processorOf(device) == framework.GPU && w.setup.Config.Executable == "" && w.setup.Config.Command == nil {
		if _, err := w.open(device); err != nil { // the device tells which sensors are its own
			return found
		}
	}
	if meter := w.sensors(processorOf(device)).meter; meter != nil {
		maps.Copy(found, meter.Temperatures())
	}
	maps.DeleteFunc(found, func(_ string, t float64) bool { return !machine.IsTemperature(t) })
	return found
}
