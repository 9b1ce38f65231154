package scan

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
)

// maxCalls is the largest number of calls of CUB in a run.
const maxCalls = 1 << 16

// cubKind is one way in which CUB can scan a batch.
type cubKind struct {
	name, doc string
	code      int    // KIND in cub.cu
	header    string // needed for the way
	one       bool   // solves one sequence only
	power     bool   // lengths are powers of two
	apart     bool   // a call for each sequence
}

var cubKinds = []cubKind{
	{name: "cub", doc: "NVIDIA's CUB, DeviceScan of one sequence", header: "cub/device/device_scan.cuh", one: true},
	{name: "cub_bykey", doc: "NVIDIA's CUB, DeviceScan by key, the key being the number of the sequence", code: 1, header: "cub/device/device_scan.cuh", power: true},
	{name: "cub_segmented", doc: "NVIDIA's CUB, DeviceSegmentedScan, one segment per sequence", code: 2, header: "cub/device/device_segmented_scan.cuh"},
	{name: "cub_calls", doc: "NVIDIA's CUB, a call of DeviceScan for each sequence, as the literature measured it", header: "cub/device/device_scan.cuh", apart: true},
}

func cubVersions() (list []framework.Version) {
	for _, kind := range cubKinds {
		list = append(list, kind.version())
	}
	return list
}

func (kind cubKind) version() framework.Version {
	return framework.Version{
		Name: kind.name, Doc: kind.doc,
		Source:    "CUB, API Reference; " + literature,
		Processor: framework.GPU,
		Peer:      true,
		Available: func() error {
			t, err := findToolkit()
			if err != nil {
				return fmt.Errorf("CUB is compiled when first used: %w", err)
			}
			if err := t.header(kind.header); err != nil {
				if kind.code == 2 {
					return fmt.Errorf("%w; CUB has it from CCCL 3.3 on: install a newer CUDA toolkit", err)
				}
				return fmt.Errorf("%w; %s", err, nvccInstall())
			}
			return nil
		},
		Supports: func(params framework.Values, _ gpu.Facts) error {
			s := shapeOf(params)
			switch {
			case kind.one && s.Batch > 1:
				return fmt.Errorf("a batch of %d; cub_bykey, cub_segmented and cub_calls scan batches", s.Batch)
			case kind.apart && s.Batch > maxCalls:
				return fmt.Errorf("%s: more than %d take seconds per run, and gigabytes of CUDA graph; a smaller batch_elements shows the same rate", terminal.Count(s.Batch, "call"), maxCalls)
			case kind.apart && s.Batch == 1:
				return errors.New("one sequence, which version cub scans")
			case kind.power && !framework.IsPowerOfTwo(s.N):
				return fmt.Errorf("N = %d: want a power of two, so that the key is a shift of the index", s.N)
			case s.elements() > math.MaxInt32:
				return fmt.Errorf("%s: want less than 2^31, CUB's count is an int", terminal.Count(s.elements(), "element"))
			}
			return nil
		},
		// CUB's tile states are a small part of the data, and at least 1.2 KiB (seen with CUDA 13, 64
		// elements).
		DeviceBytes: func(params, _ framework.Values) int64 {
			return 2*shapeOf(params).bytes() + shapeOf(params).bytes()/16 + 4<<10
		},
		New: framework.Typed(func(env framework.Env, p input, _ framework.Values) (*cubRun, error) {
			t, err := findToolkit()
			return &cubRun{GPURun: framework.GPURun{Env: env}, p: p, kind: kind, toolkit: t}, err
		}),
	}
}

// cubRun is one of CUB's versions at one point. PostRun leaves the library loaded, because its runtime
// belongs to the device's context, which others use.
type cubRun struct {
	framework.GPURun
	p       input
	kind    cubKind
	toolkit *toolkit
	library *dynlib.Library

	in, out, temp gpu.Pointer
	bytes         *uint64 // of temp
	scan          func(temp uintptr, bytes *uint64, in, out uintptr, n, count int64, stream uintptr) int32
	message       func(code int32) string
}

func (c *cubRun) PreRun() error {
	path, err := c.toolkit.build(c.kind, c.p.form(), c.Device.Facts().Arch())
	if err != nil {
		return err
	}
	if c.library, err = dynlib.Open(path); err != nil {
		return fmt.Errorf("CUB's code: %w", err)
	}
	var version func() int32
	for symbol, fn := range map[string]any{"bench_cub_scan": &c.scan, "bench_cub_error": &c.message, "bench_cub_version": &version} {
		if err := c.library.Func(fn, symbol); err != nil {
			return err
		}
	}
	if err := c.AllocEach(c.p.form().bytes(), &c.in, &c.out); err != nil {
		return err
	}
	if err := c.p.upload(c.Device, c.in); err != nil {
		return err
	}
	c.p.transfer(&c.GPURun, c.in, c.out)
	c.bytes = new(uint64)
	if err := c.Run(); err != nil { // without temp: asks for its size
		return err
	}
	if c.temp, err = c.Alloc(int64(max(*c.bytes, 1))); err != nil {
		return err
	}
	v := version() // major·100000 + minor·100 + patch
	c.Remark("CUB %d.%d.%d, %s of its own", v/100000, v/100%1000, v%100, terminal.Count(*c.bytes, "byte"))
	return nil
}

func (c *cubRun) Run() error {
	s := c.p.form()
	if r := c.scan(uintptr(c.temp), c.bytes, uintptr(c.in), uintptr(c.out), int64(s.N), int64(s.Batch), uintptr(c.Env.Stream)); r != 0 {
		return fmt.Errorf("%s: %s", c.kind.name, c.message(r))
	}
	return nil
}

func (c *cubRun) Verify() ([]framework.Check, error) {
	return c.p.verifyDevice(c.Device, c.out, c.chain())
}

// chain returns a chain that no tile of CUB's exceeds: some steps within a tile, and one step per tile of at
// least 1024 elements.
func (c *cubRun) chain() float64 { return 64 + float64(c.p.form().N)/1024 }

// Work has no counts of the version's own, because the library's code is not this project's.
func (c *cubRun) Work() framework.Work { return c.p.Nominal() }
