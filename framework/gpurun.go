package framework

import (
	"errors"
	"slices"

	"example.org/bench/gpu"
)

// GPURun holds the device resources of a GPU version at one point. Versions embed it. PostRun
// releases all resources, even after a PreRun that failed half-way.
type GPURun struct {
	Env
	memory  []gpu.Pointer
	modules []gpu.Module
	last    []func() error

	transfers Transfers
}

// Stream returns the stream on which Run enqueues.
func (r *GPURun) Stream() gpu.Stream { return r.Env.Stream }

// Alloc allocates device memory that PostRun frees.
func (r *GPURun) Alloc(bytes int64) (gpu.Pointer, error) {
	p, err := r.Device.Alloc(bytes)
	if err == nil {
		r.memory = append(r.memory, p)
	}
	return p, err
}

// AllocEach makes an allocation of bytes for each of to.
func (r *GPURun) AllocEach(bytes int64, to ...*gpu.Pointer) (err error) {
	for _, p := range to {
		if *p, err = r.Alloc(bytes); err != nil {
			return err
		}
	}
	return nil
}

// AllocFilled allocates memory and sets every byte to value.
func (r *GPURun) AllocFilled(value byte, bytes int64) (gpu.Pointer, error) {
	p, err := r.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	return p, r.Device.SetAsync(p, value, bytes, r.Env.Stream)
}

// AllocCopy allocates device memory and copies src to it.
func AllocCopy[T any](r *GPURun, src []T) (gpu.Pointer, error) {
	p, err := r.Alloc(gpu.SizeOf(src))
	if err != nil {
		return 0, err
	}
	return p, gpu.Upload(r.Device, p, src)
}

// Compile compiles src into a module that PostRun unloads.
func (r *GPURun) Compile(src gpu.Source) (gpu.Module, error) {
	m, err := r.Device.Compile(src)
	if err == nil {
		r.modules = append(r.modules, m)
	}
	return m, err
}

// Kernels compiles src and returns its kernels in the order of src.Kernels.
func (r *GPURun) Kernels(src gpu.Source) ([]gpu.Kernel, error) {
	m, err := r.Compile(src)
	if err != nil {
		return nil, err
	}
	var list []gpu.Kernel
	for _, name := range src.Kernels {
		k, err := m.Kernel(name)
		if err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	return list, nil
}

// Kernel is Kernels for a source with one kernel.
func (r *GPURun) Kernel(src gpu.Source) (gpu.Kernel, error) {
	list, err := r.Kernels(src)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// AtPostRun makes PostRun call f before it unloads modules and frees memory.
// The function added last is called first.
func (r *GPURun) AtPostRun(f func() error) { r.last = append(r.last, f) }

// Overwritten implements MemoryOverwriter: the pieces of the answer on the device (Output) that are not inputs too.
func (r *GPURun) Overwritten() (list []Transfer) {
	if r.transfers.Within {
		return nil
	}
	for _, out := range r.transfers.Out {
		within := func(in Transfer) bool {
			return in.At < out.At+gpu.Pointer(out.Bytes) && out.At < in.At+gpu.Pointer(in.Bytes)
		}
		if !slices.ContainsFunc(r.transfers.In, within) {
			list = append(list, out)
		}
	}
	return list
}

// Written implements Writer. It counts what Overwrite overwrites.
func (r *GPURun) Written() (bytes int64) {
	for _, out := range r.Overwritten() {
		bytes += out.Bytes
	}
	return bytes
}

// Overwrite implements Overwriter for the pieces of the answer on the device (Output) that are not
// inputs too.
func (r *GPURun) Overwrite(value byte) error {
	for _, out := range r.Overwritten() {
		if err := r.Device.SetAsync(out.At, value, out.Bytes, r.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

// PostRun releases all resources of the run.
func (r *GPURun) PostRun() error {
	var errs []error
	for _, f := range slices.Backward(r.last) {
		errs = append(errs, f())
	}
	for _, m := range r.modules {
		errs = append(errs, m.Unload())
	}
	for _, p := range r.memory {
		errs = append(errs, r.Device.Free(p))
	}
	r.last, r.modules, r.memory, r.transfers = nil, nil, nil, Transfers{}
	return errors.Join(errs...)
}
