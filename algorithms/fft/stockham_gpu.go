package fft

import "bench/framework"

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version { return nil }
