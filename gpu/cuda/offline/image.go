package offline

import "example.org/bench/gpu"

// NewArray returns an array that holds nothing.
func (d *Device) NewArray(gpu.Array) (gpu.ArrayID, error) { return 0, nil }

// CopyToArray does nothing.
func (d *Device) CopyToArray(gpu.ArrayID, gpu.Pointer, gpu.Stream) error { return nil }

// CopyFromArray does nothing.
func (d *Device) CopyFromArray(gpu.Pointer, gpu.ArrayID, gpu.Stream) error { return nil }

// Texture returns an object that no kernel reads.
func (d *Device) Texture(gpu.ArrayID, gpu.Sampler) (uint64, error) { return 0, nil }

// LinearTexture returns an object that no kernel reads.
func (d *Device) LinearTexture(gpu.Pointer, gpu.Array, gpu.Sampler) (uint64, error) { return 0, nil }

// Surface returns an object that no kernel writes.
func (d *Device) Surface(gpu.ArrayID) (uint64, error) { return 0, nil }

// FreeTexture does nothing.
func (d *Device) FreeTexture(uint64) error { return nil }

// FreeSurface does nothing.
func (d *Device) FreeSurface(uint64) error { return nil }

// FreeArray does nothing.
func (d *Device) FreeArray(gpu.ArrayID) error { return nil }
