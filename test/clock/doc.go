// Package clock holds the proof that the GPU timer of package measure is
// right: control.cu, a CUDA C++ program built with nvcc, times the same kernels
// in its own way, and the test under build tag gpu compares the medians of
// both.
package clock
