// Package cluster has what several algorithms' kernels need to run as thread-block clusters.
package cluster

import (
	_ "embed"

	"example.org/bench/gpu"
)

// Header is cluster.cuh: a block's rank, the cluster's barrier, and stores into
// the shared memory of its other blocks.
//
//go:embed cluster.cuh
var Header string

// Largest is the largest number of blocks in a cluster (CUDA C++ Programming Guide, thread block
// clusters). Whether more than 8 fit depends on the device.
const Largest = 16

// Runs reports whether a device has clusters.
func Runs(f gpu.Facts) bool { return f.ComputeMajor >= 9 }
