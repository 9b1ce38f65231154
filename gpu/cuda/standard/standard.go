// Package standard has stand-ins for headers that kernels written for nvcc include and NVRTC lacks. What
// those headers declare for a device either exists without them or is declared here. The simulator uses
// the same ones.
package standard

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.org/bench/internal/lazy"
)

//go:embed include
var include embed.FS

// empty are headers that declare nothing for a device. What is for a host alone is left out with the
// host's functions.
var empty = strings.Fields(`cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h device_functions.h host_defines.h hip/hip_runtime.h
	builtin_types.h channel_descriptor.h math_functions.h common_functions.h vector_types.h vector_functions.h sm_20_intrinsics.h sm_20_atomic_functions.h sm_30_intrinsics.h
	sm_32_intrinsics.h sm_32_atomic_functions.h sm_35_intrinsics.h sm_35_atomic_functions.h sm_60_atomic_functions.h sm_61_intrinsics.h
	stdio.h stdlib.h string.h stddef.h stdbool.h cstdio cstdlib cstring
	time.h ctime errno.h cerrno signal.h fcntl.h omp.h mpi.h ctype.h cctype getopt.h
	iostream fstream sstream iomanip ostream istream ios string vector list map set unordered_map unordered_set deque queue stack bitset
	memory chrono random thread mutex atomic numeric iterator stdexcept exception cxxabi.h
	any cfenv condition_variable filesystem forward_list future initializer_list locale new optional ratio regex string_view typeindex typeinfo valarray variant
	cstdarg dirent.h fenv.h getopt.h libgen.h locale.h malloc.h memory.h pthread.h sched.h setjmp.h stdarg.h strings.h
	wchar.h windows.h
	cuda_profiler_api.h cuda_gl_interop.h curand.h cudnn.h cusolver_common.h nvrtc.h cusparse.h cusparse_v2.h cusolverDn.h nccl.h nvml.h nvToolsExt.h nvtx3/nvToolsExt.h
	helper_cuda.h helper_functions.h helper_timer.h helper_string.h helper_image.h helper_gl.h helper_multiprocess.h exception.h rendercheck_gl.h
	cudaEGL.h`)

// same maps a header to another one with the same content.
var same = map[string]string{"cufftXt.h": "cufft.h", "cublas.h": "cublas_v2.h", "cublasLt.h": "cublas_v2.h", "cstdint": "stdint.h", "inttypes.h": "stdint.h", "cinttypes": "stdint.h", "climits": "limits.h", "cfloat": "float.h", "cassert": "assert.h"}

// Find returns the text of the header of that name.
func Find(name string) (text string, ok bool) {
	if other, has := same[name]; has {
		name = other
	}
	if slices.Contains(empty, name) || hostLibrary(name) {
		return "#pragma once\n", true
	}
	b, err := include.ReadFile("include/" + name)
	return string(b), err == nil
}

// hostLibrary reports whether a header is one of the host's system or graphics, or one of Thrust's algorithms and containers,
// which a host calls.
func hostLibrary(name string) bool {
	folder, part, _ := strings.Cut(name, "/")
	switch folder {
	case "thrust":
		return part != "complex.h"
	case "sys":
		return part != "types.h"
	}
	return part != "" && slices.Contains([]string{"GL", "GLES2", "GLES3", "GLFW", "EGL", "X11", "vulkan", "arpa", "net", "netinet", "bits", "linux"}, folder)
}

// Include is a directive: the name of a header, in brackets or in quotes.
type Include struct {
	Name     string
	Brackets bool
}

// includes matches include directives. It is compiled at its first use, because most commands do not need it.
var includes = lazy.Regexp(`(?m)^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[">]`)

// Includes returns the include directives of a text.
func Includes(text string) (list []Include) {
	for _, m := range includes().FindAllStringSubmatch(text, -1) {
		list = append(list, Include{Name: m[2], Brackets: m[1] == "<"})
	}
	return list
}

// Add adds to headers those that the texts and the headers include, directly or indirectly, as far as find
// knows them.
func Add(headers map[string]string, find func(name string) (text string, ok bool), texts ...string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		texts = append(texts, headers[name])
	}
	for ; len(texts) > 0; texts = texts[1:] {
		for _, i := range Includes(texts[0]) {
			if _, had := headers[i.Name]; had {
				continue
			}
			if text, ok := find(i.Name); ok {
				headers[i.Name] = text
				texts = append(texts, text)
			}
		}
	}
}

// implied are the headers that nvcc includes before a source, with names whose use shows that a text
// needs one.
var implied = []struct{ header, names string }{
	{"sys/types.h", `(?:u(?:short|int|long|_char)|NULL)`},
	{"stdint.h", `u?int(?:8|16|32|64|ptr)_t`},
	{"limits.h", `(?:CHAR_BIT|U?(?:CHAR|SHRT|INT|LONG|LLONG)_MAX|(?:SCHAR|SHRT|INT|LONG|LLONG)_MIN)`},
	{"float.h", `(?:FLT|DBL)_(?:MAX|MIN|EPSILON)`},
	{"math.h", `(?:M_(?:PI|E|LOG2E|LN2|PI_2|PI_4|1_PI|2_PI|SQRT2|SQRT1_2)|INFINITY|NAN|HUGE_VALF?|` +
		`(?:a?(?:cos|sin|tan)h?|atan2|cbrt|ceil|copysign|erfc?|exp2?|expm1|fabs|fdim|floor|fma|fmax|fmin|fmod|hypot|lgamma|log|log10|log1p|log2|nextafter|pow|remainder|rint|round|sqrt|tgamma|trunc)\s*\()`},
	{"alloca.h", `alloca\s*\(`},
	{"cstddef", `std\s*::\s*(?:size_t|ptrdiff_t)`},
	{"driver_types.h", `(?:cuda(?:Extent|Pos|PitchedPtr)|CU(?:tex|surf)Object)`},
	{"bench_texture.h", `bench_texture`},
}

// impliedNames match those names as words.
var impliedNames = sync.OnceValue(func() (list []*regexp.Regexp) {
	for _, h := range implied {
		list = append(list, regexp.MustCompile(`\b`+h.names+`(?:\b|[^\w])`))
	}
	return list
})

// Implied returns the headers that a text needs but does not include.
func Implied(text string) (names []string) {
	for i, pattern := range impliedNames() {
		if pattern.MatchString(text) {
			names = append(names, implied[i].header)
		}
	}
	return names
}
