package gpu

import "errors"

// Images are a device's arrays, which kernels read by texture objects and write by surface objects.
type Images interface {
	// NewArray returns an array whose contents are undefined.
	NewArray(Array) (ArrayID, error)
	// CopyToArray and CopyFromArray enqueue on s a copy of all texels. In linear memory the texels of a row
	// lie one after the other.
	CopyToArray(dst ArrayID, src Pointer, s Stream) error
	CopyFromArray(dst Pointer, src ArrayID, s Stream) error
	// Texture returns a texture object (cudaTextureObject_t) for an array.
	Texture(ArrayID, Sampler) (uint64, error)
	// LinearTexture returns a texture object for texels in linear memory, which tex1Dfetch reads.
	LinearTexture(at Pointer, form Array, how Sampler) (uint64, error)
	// Surface returns a surface object (cudaSurfaceObject_t).
	Surface(ArrayID) (uint64, error)
	// FreeTexture, FreeSurface and FreeArray free what the methods above made.
	FreeTexture(object uint64) error
	FreeSurface(object uint64) error
	FreeArray(ArrayID) error
}

// NoImages are the methods of a device that has no arrays. All of them return an error.
type NoImages struct{}

var errNoImages = errors.New("this device has no textures and surfaces")

// NewArray returns an error.
func (NoImages) NewArray(Array) (ArrayID, error) { return 0, errNoImages }

// CopyToArray returns an error.
func (NoImages) CopyToArray(ArrayID, Pointer, Stream) error { return errNoImages }

// CopyFromArray returns an error.
func (NoImages) CopyFromArray(Pointer, ArrayID, Stream) error { return errNoImages }

// Texture returns an error.
func (NoImages) Texture(ArrayID, Sampler) (uint64, error) { return 0, errNoImages }

// LinearTexture returns an error.
func (NoImages) LinearTexture(Pointer, Array, Sampler) (uint64, error) { return 0, errNoImages }

// Surface returns an error.
func (NoImages) Surface(ArrayID) (uint64, error) { return 0, errNoImages }

// FreeTexture returns an error.
func (NoImages) FreeTexture(uint64) error { return errNoImages }

// FreeSurface returns an error.
func (NoImages) FreeSurface(uint64) error { return errNoImages }

// FreeArray returns an error.
func (NoImages) FreeArray(ArrayID) error { return errNoImages }

// ArrayID names an array of a device.
type ArrayID uintptr

// Array is the form of an array of texels.
type Array struct {
	// Width, Height and Depth are in texels; an array of fewer dimensions has 0 for the last of them.
	Width, Height, Depth int
	Layers               int // 0: not layered
	Texel                Texel
	Written              bool // by surface objects
	Fraction             bool // for OpenCL what Sampler.Fraction is for CUDA
}

// Texel is what an array consists of: 1, 2 or 4 numbers.
type Texel struct {
	Kind     TexelKind
	Bytes    int // of one number
	Channels int
}

// TexelKind is the kind of a texel's numbers.
type TexelKind int

// The kinds of numbers.
const (
	UnsignedTexel TexelKind = iota
	SignedTexel
	FloatTexel
)

// Size returns the bytes of a texel.
func (t Texel) Size() int { return t.Bytes * t.Channels }

// Rows returns how many rows of texels an array has, over all its layers.
func (a Array) Rows() int { return max(a.Height, 1) * max(a.Depth, 1) * max(a.Layers, 1) }

// Bytes returns the bytes of all texels.
func (a Array) Bytes() int64 { return int64(a.Width) * int64(a.Rows()) * int64(a.Texel.Size()) }

// Sampler is how a texture object reads.
type Sampler struct {
	Address    [3]Address // by dimension, x first
	Linear     bool       // interpolates between texels
	Normalized bool       // coordinates are from 0 to 1
	Fraction   bool       // whole numbers are read as floats from 0, or -1, to 1
}

// Samplers are the methods that a device of OpenCL has in addition to Images: there samplers are arguments.
type Samplers interface {
	// NewSampler returns the argument for a launch. Address counts only in the first dimension.
	NewSampler(Sampler) (uint64, error)
	FreeSampler(uint64) error
}

// Address is what a read outside of an array returns. Wrap and Mirror are for normalized coordinates.
type Address int

// The kinds of addresses, in the driver's numbers (CUaddress_mode).
const (
	Wrap Address = iota
	Clamp
	Mirror
	Border // zeros
)
