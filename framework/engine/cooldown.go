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

// coolest returns the temperatures to which a point whose power is measured cools down after its timing, or
// nil if nothing cools down: those of its device before the first point. For a sensor that had no reading
// then, such as that of a GPU that was switched off, the first reading before a later point counts.
func (e *Engine) coolest(ctx context.Context, p plan.Point) map[string]float64 {
	if e.opt.Config.Measure.CoolDown == 0 || p.Skip != "" || p.Device == "sim" || e.opt.VerifyOnly {
		return nil
	}
	rep, err := e.ask(ctx, request{Op: "temperatures", Device: p.Device}, probeTimeout, func(*reply) {})
	if err != nil {
		return e.coolAt[p.Device] // the point will report a failing worker
	}
	first := maps.Clone(e.coolAt[p.Device])
	if first == nil {
		first = map[string]float64{}
	}
	for name, t := range rep.Temperatures {
		if _, had := first[name]; !had {
			first[name] = t
		}
	}
	e.coolAt[p.Device] = first
	return first
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

func (w *worker) tellTemperatures(req request, rep *reply) error {
	rep.Temperatures = w.temperatures(req.Device)
	return nil
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
