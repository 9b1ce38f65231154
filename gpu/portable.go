package gpu

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

// PortableText is the file portable.h.
//
//go:embed portable.h
var PortableText string

// Portable returns src, whose text is CUDA C++ and OpenCL C, with the file portable.h that makes it both, as a device with
// these facts compiles it: without the options of NVRTC, which begin with two dashes, on one of OpenCL.
func (src Source) Portable(f Facts) Source {
	src.Headers = maps.Clone(src.Headers)
	if src.Headers == nil {
		src.Headers = map[string]string{}
	}
	src.Headers["portable.h"] = PortableText
	if f.OpenCL != nil {
		src.Options = slices.DeleteFunc(slices.Clone(src.Options), func(o string) bool { return strings.HasPrefix(o, "--") })
	}
	return src
}
