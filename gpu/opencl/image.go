package opencl

import (
	"fmt"

	"example.org/bench/gpu"
)

// imageFormat is a cl_image_format.
type imageFormat struct{ order, kind uint32 }

// imageForm is a cl_image_desc.
type imageForm struct {
	kind                 uint32
	width, height, depth uintptr
	layers               uintptr
	_, _                 uintptr // bytes of a row and of a plane; 0 for those of its texels
	_, _                 uint32  // no mipmaps and samples
	_                    memory  // the buffer that it lies in; none
}

// Names from cl.h (Khronos).
const (
	image2D      = 0x10F1
	image3D      = 0x10F2
	image2DArray = 0x10F3
	image1D      = 0x10F4
	image1DArray = 0x10F5

	orderR    = 0x10B0
	orderRG   = 0x10B2
	orderRGBA = 0x10B5

	signedFraction   = 0x10D0 // of 8 bits; the next is of 16
	unsignedFraction = 0x10D2
	signedWhole      = 0x10D7 // of 8 bits; the next are of 16 and 32
	unsignedWhole    = 0x10DA
	floatHalf        = 0x10DD
	floatSingle      = 0x10DE

	filterNearest = 0x1140 // the next interpolates
)

// addressModes are those of samplers.
var addressModes = map[gpu.Address]uint32{gpu.Clamp: 0x1131, gpu.Border: 0x1132, gpu.Wrap: 0x1133, gpu.Mirror: 0x1134}

// formatOf returns the format of an image's texels.
func formatOf(a gpu.Array) (f imageFormat, err error) {
	t := a.Texel
	f.order = map[int]uint32{1: orderR, 2: orderRG, 4: orderRGBA}[t.Channels]
	wider := map[int]uint32{1: 0, 2: 1, 4: 2}[t.Bytes]
	whole := t.Kind != gpu.FloatTexel
	switch {
	case a.Fraction && whole && t.Bytes <= 2:
		f.kind = unsignedFraction + wider
		if t.Kind == gpu.SignedTexel {
			f.kind = signedFraction + wider
		}
	case t.Kind == gpu.SignedTexel:
		f.kind = signedWhole + wider
	case t.Kind == gpu.UnsignedTexel:
		f.kind = unsignedWhole + wider
	case t.Bytes == 2:
		f.kind = floatHalf
	default:
		f.kind = floatSingle
	}
	if f.order == 0 || a.Fraction && (!whole || t.Bytes > 2) {
		return f, fmt.Errorf("OpenCL has no image of %d numbers of %d bytes that is read so", t.Channels, t.Bytes)
	}
	return f, nil
}

// region returns the extent of a whole image.
func region(a gpu.Array) [3]uintptr {
	all := [3]int{a.Width, max(a.Height, 1), max(a.Depth, 1)}
	switch {
	case a.Layers > 0 && a.Height == 0:
		all[1] = a.Layers
	case a.Layers > 0:
		all[2] = a.Layers
	}
	return [3]uintptr{uintptr(all[0]), uintptr(all[1]), uintptr(all[2])}
}

// NewArray makes an image.
func (d *Device) NewArray(a gpu.Array) (gpu.ArrayID, error) {
	format, err := formatOf(a)
	if err != nil {
		return 0, err
	}
	form := imageForm{kind: image1D, width: uintptr(a.Width), height: uintptr(a.Height), depth: uintptr(a.Depth), layers: uintptr(a.Layers)}
	switch {
	case a.Depth > 0:
		form.kind = image3D
	case a.Height > 0 && a.Layers > 0:
		form.kind = image2DArray
	case a.Height > 0:
		form.kind = image2D
	case a.Layers > 0:
		form.kind = image1DArray
	}
	var r Result
	m := d.api.createImage(d.context, memoryReadWrite, &format, &form, nil, &r)
	if r != success {
		err := fmt.Errorf("image of %v texels of %d bytes on %s: %w", region(a), a.Texel.Size(), d.ID(), check("clCreateImage", r))
		if (r == errImageFormat || r == errInvalidOperation) && a.Texel.Channels < 4 {
			err = fmt.Errorf("%w; a device with images has them with four numbers a texel, and with fewer as its driver likes", err)
		}
		return 0, err
	}
	if d.images == nil {
		d.images = map[gpu.ArrayID]gpu.Array{}
	}
	d.images[gpu.ArrayID(m)] = a
	return gpu.ArrayID(m), nil
}

// CopyToArray enqueues a copy of all texels from a buffer.
func (d *Device) CopyToArray(dst gpu.ArrayID, src gpu.Pointer, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	form := d.images[dst]
	from, at, err := d.within(src, form.Bytes())
	if err != nil {
		return err
	}
	var origin [3]uintptr
	all := region(form)
	return d.done("clEnqueueCopyBufferToImage", d.api.copyBufferToImage(d.into, from.memory, memory(dst), at, &origin, &all, 0, nil, d.events()))
}

// CopyFromArray enqueues a copy of all texels to a buffer.
func (d *Device) CopyFromArray(dst gpu.Pointer, src gpu.ArrayID, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	form := d.images[src]
	to, at, err := d.within(dst, form.Bytes())
	if err != nil {
		return err
	}
	var origin [3]uintptr
	all := region(form)
	return d.done("clEnqueueCopyImageToBuffer", d.api.copyImageToBuffer(d.into, memory(src), to.memory, &origin, &all, at, 0, nil, d.events()))
}

// NewSampler makes a sampler_t and returns the number to pass to a kernel for it.
func (d *Device) NewSampler(how gpu.Sampler) (uint64, error) {
	var normalized uint32
	if how.Normalized {
		normalized = 1
	}
	filter := uint32(filterNearest)
	if how.Linear {
		filter++
	}
	var r Result
	s := d.api.createSampler(d.context, normalized, addressModes[how.Address[0]], filter, &r)
	return uint64(s), check("clCreateSampler", r)
}

// FreeSampler frees a sampler.
func (d *Device) FreeSampler(s uint64) error {
	return check("clReleaseSampler", d.api.releaseSampler(sampler(s)))
}

// Texture returns the image itself: the kernel's sampler says how it is read.
func (d *Device) Texture(a gpu.ArrayID, _ gpu.Sampler) (uint64, error) { return uint64(a), nil }

// LinearTexture returns an error.
func (d *Device) LinearTexture(gpu.Pointer, gpu.Array, gpu.Sampler) (uint64, error) {
	return 0, fmt.Errorf("%s: OpenCL has no textures over linear memory here", d.ID())
}

// Surface returns the image itself.
func (d *Device) Surface(a gpu.ArrayID) (uint64, error) { return uint64(a), nil }

// FreeTexture does nothing: FreeArray frees the image.
func (d *Device) FreeTexture(uint64) error { return nil }

// FreeSurface does nothing.
func (d *Device) FreeSurface(uint64) error { return nil }

// FreeArray frees an image.
func (d *Device) FreeArray(a gpu.ArrayID) error {
	delete(d.images, a)
	return check("clReleaseMemObject", d.api.releaseMemory(memory(a)))
}
