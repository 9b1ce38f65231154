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

// Portable returns src with the file portable.h, which makes its text both CUDA C++ and OpenCL C, for a
// device with these facts. On a device of OpenCL it leaves out the options of NVRTC, which begin with two
// dashes.
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
