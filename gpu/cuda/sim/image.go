package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
)

// texels is bench_sim::Texels of cpp/texture.h.
type texels struct {
	Data                                                         uint64
	Width, Height, Depth, Layers                                 int32
	Kind, Bytes, Channels, Linear, Normalized, Fraction, Fetched uint8
	Address                                                      [3]uint8
	_                                                            [6]byte
}

// NewArray implements gpu.Images. An array's texels lie as in linear memory.
func (d *Device) NewArray(a gpu.Array) (gpu.ArrayID, error) {
	p, err := d.memory.alloc(a.Bytes())
	if err == nil {
		d.memory.arrays[p] = a
	}
	return gpu.ArrayID(p), err
}

// CopyToArray implements gpu.Images.
func (d *Device) CopyToArray(dst gpu.ArrayID, src gpu.Pointer, s gpu.Stream) error {
	return d.CopyAsync(gpu.Pointer(dst), src, d.memory.arrays[gpu.Pointer(dst)].Bytes(), s)
}

// CopyFromArray implements gpu.Images.
func (d *Device) CopyFromArray(dst gpu.Pointer, src gpu.ArrayID, s gpu.Stream) error {
	return d.CopyAsync(dst, gpu.Pointer(src), d.memory.arrays[gpu.Pointer(src)].Bytes(), s)
}

func (d *Device) object(at gpu.Pointer, a gpu.Array, how gpu.Sampler, fetched bool) (uint64, error) {
	is := func(b bool) uint8 {
		if b {
			return 1
		}
		return 0
	}
	t := texels{Data: uint64(at), Width: int32(a.Width), Height: int32(a.Height), Depth: int32(a.Depth), Layers: int32(a.Layers),
		Kind: uint8(a.Texel.Kind), Bytes: uint8(a.Texel.Bytes), Channels: uint8(a.Texel.Channels),
		Linear: is(how.Linear), Normalized: is(how.Normalized), Fraction: is(how.Fraction), Fetched: is(fetched)}
	for i, x := range how.Address {
		t.Address[i] = uint8(x)
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.NativeEndian, t); err != nil {
		return 0, fmt.Errorf("sim: texture: %w", err)
	}
	p, err := d.memory.alloc(int64(b.Len()))
	if err != nil {
		return 0, err
	}
	return uint64(p), d.CopyToDevice(p, unsafe.Pointer(&b.Bytes()[0]), int64(b.Len()))
}

// Texture implements gpu.Images.
func (d *Device) Texture(id gpu.ArrayID, how gpu.Sampler) (uint64, error) {
	return d.object(gpu.Pointer(id), d.memory.arrays[gpu.Pointer(id)], how, false)
}

// LinearTexture implements gpu.Images.
func (d *Device) LinearTexture(at gpu.Pointer, form gpu.Array, how gpu.Sampler) (uint64, error) {
	return d.object(at, form, how, true)
}

// Surface implements gpu.Images.
func (d *Device) Surface(id gpu.ArrayID) (uint64, error) {
	return d.Texture(id, gpu.Sampler{})
}

// FreeTexture implements gpu.Images.
func (d *Device) FreeTexture(object uint64) error { return d.memory.free(gpu.Pointer(object)) }

// FreeSurface implements gpu.Images.
func (d *Device) FreeSurface(object uint64) error { return d.memory.free(gpu.Pointer(object)) }

// FreeArray implements gpu.Images.
func (d *Device) FreeArray(id gpu.ArrayID) error {
	delete(d.memory.arrays, gpu.Pointer(id))
	return d.memory.free(gpu.Pointer(id))
}
