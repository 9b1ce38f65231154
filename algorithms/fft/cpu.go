package fft

import "bench/framework"

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version { return nil }
