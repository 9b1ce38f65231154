package sim

import (
	"strings"

	"bench/cuda/standard"
	"bench/gpu"
)

// partsOfOthers maps a header to the simulator's own header that has its content.
var partsOfOthers = map[string]string{
	"cooperative_groups/reduce.h": "cooperative_groups.h", "cooperative_groups/scan.h": "cooperative_groups.h",
	"cooperative_groups/memcpy_async.h": "cooperative_groups.h", "cuda_pipeline_primitives.h": "cuda_pipeline.h", "cuda/std/atomic": "cuda_atomic.h",
	"cuda/atomic": "cuda_atomic.h", "cuda/barrier": "cuda_barrier.h", "cuda/std/barrier": "cuda_barrier.h",
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
