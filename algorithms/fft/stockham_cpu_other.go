//go:build !amd64 && !arm64

package fft

func machineKernels32() []*kernels { return nil }

func machineKernels64() []*kernels { return nil }
