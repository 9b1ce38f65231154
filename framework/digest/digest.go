// Package digest compares arrays on the device by digests of 64 bits. Arrays that differ are taken for
// equal with a probability of 2^-64. It is no protection against somebody who makes an array for a digest.
package digest

import (
	_ "embed"
	"encoding/binary"
	"errors"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed digest.cu
var source string

//go:embed digest.cl
var sourceCL string

// MostBytes is the length of an array from which on its words have no numbers of their own.
const MostBytes = 4 << 32

// Digester computes digests on a device.
type Digester struct {
	held   framework.GPURun
	kernel gpu.Kernel
	sum    gpu.Pointer
	// threads are those of a block, a power of 2.
	threads int
}

// New loads the kernel; Close unloads it.
func New(device gpu.Device) (*Digester, error) {
	d := &Digester{held: framework.GPURun{Env: framework.Env{Device: device}}, threads: 256}
	facts, s := device.Facts(), gpu.Source{Name: "digest.cu", Text: source, Kernels: []string{"digest"}}
	if facts.OpenCL != nil {
		s.Name, s.Text = "digest.cl", sourceCL
		for d.threads > facts.MaxThreadsBlock && d.threads > 1 {
			d.threads /= 2
		}
	}
	s.Defines = gpu.Defines("THREADS", d.threads)
	list, err := d.held.Kernels(s)
	if err == nil {
		d.kernel = list[0]
		d.sum, err = d.held.Alloc(8)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close frees what it holds on the device.
func (d *Digester) Close() error {
	if d == nil {
		return nil
	}
	return d.held.PostRun()
}

// Of is the digest of an array of fewer than MostBytes on the device, once all that is
// queued on s has run.
func (d *Digester) Of(at gpu.Pointer, bytes int64, s gpu.Stream) (uint64, error) {
	if err := d.Clear(s); err != nil {
		return 0, err
	}
	if err := d.Add(at, bytes, s); err != nil {
		return 0, err
	}
	return d.Sum(s)
}

// Clear enqueues that the sum is 0.
func (d *Digester) Clear(s gpu.Stream) error { return d.held.Device.SetAsync(d.sum, 0, 8, s) }

// Add enqueues that the digest of an array of fewer than MostBytes is added to the sum.
func (d *Digester) Add(at gpu.Pointer, bytes int64, s gpu.Stream) error {
	words := (bytes + 3) / 4
	threads := int64(d.threads)
	blocks := min(8*d.held.Device.Facts().Multiprocessors, int((words+threads-1)/threads))
	shape := gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: d.threads}}
	return d.kernel.Launch(s, shape, at, uint64(bytes), d.sum)
}

// Sum is the sum, once all that is queued on s has run.
func (d *Digester) Sum(s gpu.Stream) (uint64, error) {
	if err := d.held.Device.Synchronize(s); err != nil {
		return 0, err
	}
	sum := []uint64{0}
	err := gpu.Download(d.held.Device, sum, d.sum)
	return sum[0], err
}

// Of is the digest of the host's data.
func Of(data []byte) (sum uint64) {
	for i := 0; i < len(data); i += 4 {
		var word uint32
		if len(data)-i >= 4 {
			word = binary.LittleEndian.Uint32(data[i:])
		} else {
			for j, b := range data[i:] {
				word |= uint32(b) << (8 * j)
			}
		}
		x := (uint64(i/4)<<32 | uint64(word)) + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		sum += x ^ x>>31
	}
	return sum
}
