package measure

import (
	"errors"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// Once prepares single untimed runs, with the caches as before a cold sample.
type Once struct {
	timer  GPUTimer
	module gpu.Module
}

// NewOnce returns a Once, which the caller must close.
func NewOnce(g *driver.GPU, m config.Measure) (*Once, error) {
	o := &Once{timer: GPUTimer{device: g, gpu: g}}
	var err error
	if o.module, err = g.Compile(gpu.Source{Name: "gpu_clock.cu", Text: clockSource, Kernels: []string{"read_lines"}}); err != nil {
		return nil, err
	}
	if o.timer.flush, err = newFlush(g, o.module, m); err != nil {
		return nil, errors.Join(err, o.module.Unload())
	}
	return o, nil
}

// Close frees what Once holds on the device.
func (o *Once) Close() error { return errors.Join(o.timer.flush.close(), o.module.Unload()) }

// Prepare restores the inputs if the version changes them, flushes the L2 cache, and waits.
func (o *Once) Prepare(alg framework.GPUAlgorithm) error {
	return errors.Join(o.timer.beforeCold(alg, nil)(), o.timer.device.Synchronize(alg.Stream()))
}
