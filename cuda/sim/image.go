package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"

	"bench/cuda"
)

// texels is bench_sim::Texels of cpp/texture.h.
type texels struct {
	Data                                                         uint64
	Width, Height, Depth, Layers                                 int32
	Kind, Bytes, Channels, Linear, Normalized, Fraction, Fetched uint8
	Address                                                      [3]uint8
	_                                                            [6]byte
}

// NewArray implements cuda.Images. An array's texels lie as in linear memory.
func (d *Device) NewArray(a cuda.Array) (cuda.ArrayID, error) {
	p, err := d.memory.alloc(a.Bytes())
	if err == nil {
		d.memory.arrays[p] = a
	}
	return cuda.ArrayID(p), err
}

// CopyToArray implements cuda.Images.
func (d *Device) CopyToArray(dst cuda.ArrayID, src cuda.Pointer, s cuda.Stream) error {
	return d.CopyAsync(cuda.Pointer(dst), src, d.memory.arrays[cuda.Pointer(dst)].Bytes(), s)
}

// CopyFromArray implements cuda.Images.
func (d *Device) CopyFromArray(dst cuda.Pointer, src cuda.ArrayID, s cuda.Stream) error {
	return d.CopyAsync(dst, cuda.Pointer(src), d.memory.arrays[cuda.Pointer(src)].Bytes(), s)
}

func (d *Device) object(at cuda.Pointer, a cuda.Array, how cuda.Sampler, fetched bool) (uint64, error) {
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

// Texture implements cuda.Images.
func (d *Device) Texture(id cuda.ArrayID, how cuda.Sampler) (uint64, error) {
	return d.object(cuda.Pointer(id), d.memory.arrays[cuda.Pointer(id)], how, false)
}

// LinearTexture implements cuda.Images.
func (d *Device) LinearTexture(at cuda.Pointer, form cuda.Array, how cuda.Sampler) (uint64, error) {
	return d.object(at, form, how, true)
}

// Surface implements cuda.Images.
func (d *Device) Surface(id cuda.ArrayID) (uint64, error) {
	return d.Texture(id, cuda.Sampler{})
}

// FreeTexture implements cuda.Images.
func (d *Device) FreeTexture(object uint64) error { return d.memory.free(cuda.Pointer(object)) }

// FreeSurface implements cuda.Images.
func (d *Device) FreeSurface(object uint64) error { return d.memory.free(cuda.Pointer(object)) }

// FreeArray implements cuda.Images.
func (d *Device) FreeArray(id cuda.ArrayID) error {
	delete(d.memory.arrays, cuda.Pointer(id))
	return d.memory.free(cuda.Pointer(id))
}
