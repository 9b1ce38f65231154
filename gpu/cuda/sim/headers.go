package sim

import (
	"slices"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/standard"
)

// partsOfOthers maps a header to the simulator's own header that has its content.
var partsOfOthers = map[string]string{
	"cooperative_groups/reduce.h": "cooperative_groups.h", "cooperative_groups/scan.h": "cooperative_groups.h",
	"cooperative_groups/memcpy_async.h": "cooperative_groups.h", "cuda_pipeline_primitives.h": "cuda_pipeline.h", "cuda/std/atomic": "cuda_atomic.h",
	"cuda/atomic": "cuda_atomic.h", "cuda/barrier": "cuda_barrier.h", "cuda/std/barrier": "cuda_barrier.h",
	"cuda/pipeline": "cuda_async.h", "cuda/std/pipeline": "cuda_async.h",
	"cuda_fp16.hpp": "cuda_fp16.h", "cuda_bf16.hpp": "cuda_bf16.h",
}

// cudaStandard begins the names of those toolkit headers that repeat the C++ library's in another
// namespace.
const cudaStandard = "cuda/std/"

// find returns the text of a header that the simulator has besides its own.
func find(name string) (text string, ok bool) {
	if of, is := partsOfOthers[name]; is {
		return "#pragma once\n#include <" + of + ">\n", true
	}
	if strings.HasPrefix(name, "cub/block/") || strings.HasPrefix(name, "cub/warp/") || strings.HasPrefix(name, "cub/util_") || strings.HasPrefix(name, "cub/thread/") {
		return "#pragma once\n#include <cub.h>\n", true
	}
	if of, is := strings.CutPrefix(name, cudaStandard); is {
		if _, ok := standard.Find(of); ok {
			return "#pragma once\n#include <" + of + ">\nnamespace std {}\nnamespace cuda { namespace std = ::std; }\n", true
		}
	}
	return standard.Find(name)
}

// complete returns src with those headers that it includes and the simulator has.
func complete(src gpu.Source) gpu.Source {
	headers := map[string]string{}
	for name, text := range src.Headers {
		headers[name] = text
	}
	standard.Add(headers, find, src.Text)
	src.Headers = headers
	return src
}

// ahead returns the simulator's own headers that the texts include, and that inline PTX needs. They come before the source's
// macros, which would change them.
func ahead(made translated) (names []string) {
	texts := []string{made.text}
	for _, name := range sortedKeys(made.headers) {
		texts = append(texts, made.headers[name])
	}
	add := func(name string) {
		if _, err := cpp.Open("cpp/" + name); err == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, text := range texts {
		if strings.Contains(text, "bench_sim::ptx::") || strings.Contains(text, "bench_sim::load_matrices") {
			add("ptx.h")
		}
		for _, i := range standard.Includes(text) {
			add(i.Name)
		}
	}
	return names
}
