package main

import (
	"fmt"
	"hash"
	"unsafe"

	"example.org/bench/gpu"
)

// mutated is a device that compiles one file with a change, and keeps what is copied
// to the host.
type mutated struct {
	gpu.Device
	change   *mutant // nil: none
	original string  // the text of its file
	applied  bool
	answers  hash.Hash64
	texts    map[string]bool // that were compiled
	loads    map[string]bool // libraries; nil: not asked for
}

func (d *mutated) Compile(src gpu.Source) (gpu.Module, error) {
	if d.loads != nil {
		defer func() { loaded(d.loads) }()
	}
	d.texts[src.Text] = true
	for _, text := range src.Headers {
		d.texts[text] = true
	}
	if d.change == nil {
		return d.Device.Compile(src)
	}
	dynamic := false
	if src.Text == d.original {
		src.Text, d.applied, dynamic = d.change.apply(src.Text), true, d.change.Dynamic
	}
	headers := map[string]string{}
	for name, text := range src.Headers {
		if text == d.original {
			text, d.applied, dynamic = d.change.apply(text), true, d.change.Dynamic
		}
		headers[name] = text
	}
	src.Headers = headers
	m, err := d.Device.Compile(src)
	if err != nil || !dynamic {
		return m, err
	}
	return tight{m}, nil
}

func (d *mutated) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	err := d.Device.CopyToHost(dst, src, bytes)
	d.keep(dst, bytes)
	return err
}

func (d *mutated) CopyToHostAsync(dst unsafe.Pointer, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	err := d.Device.CopyToHostAsync(dst, src, bytes, s)
	d.keep(dst, bytes) // the simulator's copies do not wait
	return err
}

func (d *mutated) keep(at unsafe.Pointer, bytes int64) {
	if bytes > 0 {
		fmt.Fprint(d.answers, bytes)
		d.answers.Write(unsafe.Slice((*byte)(at), bytes))
	}
}

// tight is a module whose launches give a word less of dynamic shared memory.
type tight struct{ gpu.Module }

func (m tight) Kernel(name string) (gpu.Kernel, error) {
	k, err := m.Module.Kernel(name)
	if err != nil {
		return nil, err
	}
	return tightKernel{k}, nil
}

type tightKernel struct{ gpu.Kernel }

func (k tightKernel) Launch(s gpu.Stream, shape gpu.Launch, args ...any) error {
	shape.SharedBytes -= min(4, shape.SharedBytes)
	return k.Kernel.Launch(s, shape, args...)
}
