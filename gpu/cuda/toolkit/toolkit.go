// Package toolkit finds the libraries that come with the CUDA toolkit, and names their results.
package toolkit

import (
	"cmp"
	"fmt"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/jetson"
	"example.org/bench/internal/dynlib"
)

// Library says where to find a library.
type Library struct {
	Name          string   // as NVIDIA writes it: "cuFFT"
	File, Package string   // "libcufft"; an empty Package stands for File
	Releases      []string // of the file, newest first
	Since         string   // first CUDA release that has all functions
}

// Peer returns the library with its functions F.
func Peer[F any](l Library) *dynlib.Peer[F] {
	var files []string
	for _, r := range l.Releases {
		files = append(files, l.File+".so."+r)
	}
	link := l.File + ".so" // installed by a development package
	return &dynlib.Peer[F]{
		Name:    l.Name,
		Files:   append(files, link, "/usr/local/cuda/lib64/"+link, "/usr/local/cuda/targets/aarch64-linux/lib/"+link),
		Install: "install it with the CUDA toolkit (%s) or add its folder to LD_LIBRARY_PATH",
		Release: "a release of CUDA " + l.Since + " or later has it",
		Package: func() string { return jetson.Hint(cmp.Or(l.Package, l.File)) },
	}
}

// Results are a library's codes.
type Results struct {
	Names       map[int32]string
	OutOfMemory int32
}

// Check returns the error of a call; nil for 0.
func (r Results) Check(call string, result int32) error {
	if result == 0 {
		return nil
	}
	name := r.Names[result]
	if name == "" {
		name = fmt.Sprintf("error %d", result)
	}
	if result == r.OutOfMemory {
		return fmt.Errorf("%s: %s: %w", call, name, gpu.ErrOutOfMemory)
	}
	return fmt.Errorf("%s: %s", call, name)
}
