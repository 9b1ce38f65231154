package bicubic

import (
	"fmt"
	"math"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// pinner is a device that can copy from and to host memory in stream order.
type pinner interface {
	AllocHost(bytes int64) (*driver.HostMemory, error)
}

// hostMatrices holds input and output in host memory, one after the other. The memory is page-locked if the
// device supports it, so that copies are enqueued like kernels. A copy from plain memory waits for what is
// enqueued.
type hostMatrices struct {
	memory *driver.HostMemory // nil means plain memory
	all    []float32
	input  int // elements
}

func (h *hostMatrices) open(d gpu.Device, p *problem) error {
	h.input = len(p.in)
	n := int64(len(p.in)) + p.points()
	if device, ok := d.(pinner); ok {
		memory, err := device.AllocHost(4 * n)
		if err != nil {
			return fmt.Errorf("input and output in host memory: %w", err)
		}
		h.memory = memory
		h.all = unsafe.Slice((*float32)(memory.Pointer()), n)
	} else {
		h.all = make([]float32, n)
	}
	copy(h.all, p.in)
	for i := h.input; i < len(h.all); i++ {
		h.all[i] = float32(math.NaN()) // a point that is not written is wrong
	}
	return nil
}

// send copies bytes of the input, from element at on, to the device.
func (h *hostMatrices) send(env framework.Env, to gpu.Pointer, at int, bytes int64) error {
	if h.memory != nil {
		return env.Device.CopyAsync(to, h.memory.Device()+gpu.Pointer(4*at), bytes, env.Stream)
	}
	if err := env.Device.Synchronize(env.Stream); err != nil {
		return err
	}
	return env.Device.CopyToDevice(to, unsafe.Pointer(&h.all[at]), bytes)
}

// fetch copies bytes of the output, from element at on, to the host.
func (h *hostMatrices) fetch(env framework.Env, from gpu.Pointer, at int, bytes int64) error {
	at += h.input
	if h.memory != nil {
		return env.Device.CopyAsync(h.memory.Device()+gpu.Pointer(4*at), from, bytes, env.Stream)
	}
	if err := env.Device.Synchronize(env.Stream); err != nil {
		return err
	}
	return env.Device.CopyToHost(unsafe.Pointer(&h.all[at]), from, bytes)
}

// out returns the output.
func (h *hostMatrices) out() []float32 { return h.all[h.input:] }

func (h *hostMatrices) close() error {
	h.all = nil
	if h.memory == nil {
		return nil
	}
	err := h.memory.Free()
	h.memory = nil
	return err
}
