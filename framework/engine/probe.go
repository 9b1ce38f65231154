package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/ceilings"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/probes"
	"example.org/bench/gpu/cuda/driver"
)

// probeLimit is the limit for a probe of all sensors, including those with a period of a second.
const probeLimit = 5 * time.Minute

// Probe switches a load on the device on and off, to find which part of each period its power
// sensors see. The error says which sensors could not be probed.
func (e *Engine) Probe(ctx context.Context, device string) ([]probes.Probe, error) {
	rep, err := e.ask(ctx, request{Op: "probe", Device: device}, probeLimit, func(*reply) {})
	if err != nil {
		return nil, err
	}
	if rep.Error != "" {
		return rep.Probes, errors.New(rep.Error)
	}
	return rep.Probes, nil
}

func (w *worker) probe(req request, rep *reply) (err error) {
	rep.Probes, err = w.probed(req.Device)
	return onOneLine(err)
}

func (w *worker) probed(device string) (found []probes.Probe, err error) {
	load := func(seconds float64) error { return spin(w.setup.Workers, seconds) }
	if processorOf(device) == framework.GPU {
		d, err := w.open(device)
		if err != nil {
			return nil, err
		}
		gpu, ok := d.(*driver.GPU)
		if !ok {
			return nil, fmt.Errorf("device %s takes no power", device)
		}
		busy, end, err := ceilings.Busy(gpu)
		if err != nil {
			return nil, err
		}
		defer end()
		load = busy
	}
	state := w.sensors(processorOf(device))
	if state.meter == nil {
		return nil, errors.New(NoPower(state.states))
	}
	seen, err := state.meter.DutyCycle(load)
	for sensor, identity := range state.meter.Identities() {
		if channels := seen[sensor]; channels != nil {
			found = append(found, probes.Probe{Identity: identity, Probed: now().UTC(), Channels: channels})
		}
	}
	if len(seen) == 0 && err == nil {
		err = errors.New("no sensor reads power: counters see all of it")
	}
	return found, err
}

// spin keeps so many CPUs busy.
func spin(workers int, seconds float64) error {
	var all sync.WaitGroup
	for range max(1, min(workers, runtime.GOMAXPROCS(0)-1)) { // leaves one for the poller
		all.Go(func() {
			for begin := now(); since(begin) < seconds; {
			}
		})
	}
	all.Wait()
	return nil
}

// knowledge returns what the config and earlier probes know about sensors.
func (w *worker) knowledge(open []framework.Sensor) measure.Knowledge {
	k := measure.Knowledge{Calibrations: w.setup.Config.Calibration, Seen: map[string]float64{}}
	for _, s := range open {
		if p, ok := probes.Of(s); ok {
			for channel, x := range p.Channels {
				k.Seen[s.Name()+" "+channel] = x.Window
			}
		}
	}
	return k
}
