package driver

import (
	"errors"
	"math"
	"unsafe"

	"example.org/bench/gpu"
)

type (
	array  uintptr
	object uint64 // of a texture or a surface
)

// arrayDescriptor is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDescriptor struct {
	width, height, depth uintptr
	format               int32
	channels, flags      uint32
}

const (
	layeredArray = 1 // CUDA_ARRAY3D_LAYERED
	surfaceArray = 2 // CUDA_ARRAY3D_SURFACE_LDST
)

// end is one side of a copy, as in CUDA_MEMCPY3D.
type end struct {
	_             [4]uintptr // where it begins
	memory        int32      // CUmemorytype
	_             uintptr    // in host memory
	device        uintptr
	array         array
	_             uintptr
	pitch, height uintptr
}

const (
	inDevice = 2 // CU_MEMORYTYPE_DEVICE
	inArray  = 3 // CU_MEMORYTYPE_ARRAY
)

// copy3D is CUDA_MEMCPY3D.
type copy3D struct {
	src, dst                  end
	widthBytes, height, depth uintptr
}

// resource is CUDA_RESOURCE_DESC. What it holds depends on the kind.
type resource struct {
	kind int32 // CUresourcetype
	of   [16]uint64
	_    uint32
}

const linearResource = 2 // CU_RESOURCE_TYPE_LINEAR; 0 is an array

// textureDescriptor is CUDA_TEXTURE_DESC.
type textureDescriptor struct {
	address [3]int32
	filter  int32
	flags   uint32
	_       [21]int32 // anisotropy, mipmaps, colour of the border, reserved
}

const (
	asIntegers = 1 // CU_TRSF_READ_AS_INTEGER
	normalized = 2 // CU_TRSF_NORMALIZED_COORDINATES
)

// format returns the CUarray_format of a texel's numbers.
func format(t gpu.Texel) int32 {
	by := int32(math.Log2(float64(t.Bytes)))
	switch t.Kind {
	case gpu.SignedTexel:
		return 8 + by
	case gpu.FloatTexel:
		return map[int32]int32{1: 0x10, 2: 0x20}[by]
	}
	return 1 + by
}

var errNoImages = errors.New("the driver has no arrays for textures and surfaces")

// NewArray implements gpu.Images.
func (g *GPU) NewArray(a gpu.Array) (gpu.ArrayID, error) {
	if !g.api.images() {
		return 0, errNoImages
	}
	d := arrayDescriptor{width: uintptr(a.Width), height: uintptr(a.Height), depth: uintptr(a.Depth), format: format(a.Texel), channels: uint32(a.Texel.Channels)}
	if a.Layers > 0 {
		d.depth, d.flags = uintptr(a.Layers), layeredArray
	}
	if a.Written {
		d.flags |= surfaceArray
	}
	var made array
	err := g.api.check("cuArray3DCreate", g.api.arrayCreate(&made, &d))
	if err == nil {
		if g.arrays == nil {
			g.arrays = map[gpu.ArrayID]gpu.Array{}
		}
		g.arrays[gpu.ArrayID(made)] = a
	}
	return gpu.ArrayID(made), err
}

func (g *GPU) copyArray(id gpu.ArrayID, linear gpu.Pointer, s gpu.Stream, into bool) error {
	a := g.arrays[id]
	bytes := uintptr(a.Width * a.Texel.Size())
	c := copy3D{widthBytes: bytes, height: uintptr(max(a.Height, 1)), depth: uintptr(max(a.Depth, a.Layers, 1))}
	c.src = end{memory: inDevice, device: uintptr(linear), pitch: bytes, height: c.height}
	c.dst = end{memory: inArray, array: array(id)}
	if !into {
		c.src, c.dst = c.dst, c.src
	}
	return g.api.check("cuMemcpy3DAsync", g.api.memcpy3D(&c, uintptr(s)))
}

// CopyToArray implements gpu.Images.
func (g *GPU) CopyToArray(dst gpu.ArrayID, src gpu.Pointer, s gpu.Stream) error {
	return g.copyArray(dst, src, s, true)
}

// CopyFromArray implements gpu.Images.
func (g *GPU) CopyFromArray(dst gpu.Pointer, src gpu.ArrayID, s gpu.Stream) error {
	return g.copyArray(src, dst, s, false)
}

func (g *GPU) texture(from *resource, how gpu.Sampler) (uint64, error) {
	d := textureDescriptor{}
	for i, a := range how.Address {
		d.address[i] = int32(a)
	}
	if how.Linear {
		d.filter = 1
	}
	if !how.Fraction {
		d.flags |= asIntegers
	}
	if how.Normalized {
		d.flags |= normalized
	}
	var made object
	err := g.api.check("cuTexObjectCreate", g.api.texObjectCreate(&made, from, &d, nil))
	return uint64(made), err
}

// Texture implements gpu.Images.
func (g *GPU) Texture(id gpu.ArrayID, how gpu.Sampler) (uint64, error) {
	return g.texture(&resource{of: [16]uint64{uint64(id)}}, how)
}

// LinearTexture implements gpu.Images.
func (g *GPU) LinearTexture(at gpu.Pointer, form gpu.Array, how gpu.Sampler) (uint64, error) {
	if !g.api.images() {
		return 0, errNoImages
	}
	r := &resource{kind: linearResource}
	r.of[0], r.of[1], r.of[2] = uint64(at), uint64(format(form.Texel))|uint64(form.Texel.Channels)<<32, uint64(form.Bytes())
	return g.texture(r, how)
}

// Surface implements gpu.Images.
func (g *GPU) Surface(id gpu.ArrayID) (uint64, error) {
	var made object
	err := g.api.check("cuSurfObjectCreate", g.api.surfObjectCreate(&made, &resource{of: [16]uint64{uint64(id)}}))
	return uint64(made), err
}

// FreeTexture implements gpu.Images.
func (g *GPU) FreeTexture(x uint64) error {
	return g.api.check("cuTexObjectDestroy", g.api.texObjectDestroy(object(x)))
}

// FreeSurface implements gpu.Images.
func (g *GPU) FreeSurface(x uint64) error {
	return g.api.check("cuSurfObjectDestroy", g.api.surfObjectDestroy(object(x)))
}

// FreeArray implements gpu.Images.
func (g *GPU) FreeArray(id gpu.ArrayID) error {
	delete(g.arrays, id)
	return g.api.check("cuArrayDestroy", g.api.arrayDestroy(array(id)))
}

// images reports whether the driver has every function that textures and surfaces need.
func (a *api) images() bool {
	return a.arrayCreate != nil && a.arrayDestroy != nil && a.memcpy3D != nil && a.texObjectCreate != nil && a.texObjectDestroy != nil &&
		a.surfObjectCreate != nil && a.surfObjectDestroy != nil
}

// The sizes are those of the driver's structures.
var (
	_ [40]byte  = [unsafe.Sizeof(arrayDescriptor{})]byte{}
	_ [200]byte = [unsafe.Sizeof(copy3D{})]byte{}
	_ [144]byte = [unsafe.Sizeof(resource{})]byte{}
	_ [104]byte = [unsafe.Sizeof(textureDescriptor{})]byte{}
)
