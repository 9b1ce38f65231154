package offline

import "bench/cuda"

// NewArray returns an array that holds nothing.
func (d *Device) NewArray(cuda.Array) (cuda.ArrayID, error) { return 0, nil }

// CopyToArray does nothing.
func (d *Device) CopyToArray(cuda.ArrayID, cuda.Pointer, cuda.Stream) error { return nil }

// CopyFromArray does nothing.
func (d *Device) CopyFromArray(cuda.Pointer, cuda.ArrayID, cuda.Stream) error { return nil }

// Texture returns an object that no kernel reads.
func (d *Device) Texture(cuda.ArrayID, cuda.Sampler) (uint64, error) { return 0, nil }

// LinearTexture returns an object that no kernel reads.
func (d *Device) LinearTexture(cuda.Pointer, cuda.Array, cuda.Sampler) (uint64, error) { return 0, nil }

// Surface returns an object that no kernel writes.
func (d *Device) Surface(cuda.ArrayID) (uint64, error) { return 0, nil }

// FreeTexture does nothing.
func (d *Device) FreeTexture(uint64) error { return nil }

// FreeSurface does nothing.
func (d *Device) FreeSurface(uint64) error { return nil }

// FreeArray does nothing.
func (d *Device) FreeArray(cuda.ArrayID) error { return nil }
