package standard_test

import (
	"slices"
	"testing"

	"example.org/bench/gpu/cuda/standard"
)

// The headers that headers include are there too.
func TestHeadersAreComplete(t *testing.T) {
	headers := map[string]string{}
	standard.Add(headers, standard.Find, "#include <thrust/complex.h>\n #  include \"algorithm\"\n#include <cinttypes>\n#include <cub/cub.cuh>\n#include <vector>\n#include <other.h>\n")
	for _, name := range []string{"thrust/complex.h", "complex", "cmath", "math.h", "algorithm", "utility", "type_traits", "cinttypes", "vector", "cub/cub.cuh"} {
		if headers[name] == "" {
			t.Errorf("no header %s", name)
		}
	}
	if _, ok := headers["other.h"]; ok || len(headers) != 10 {
		t.Errorf("%d headers", len(headers))
	}
}

// A header that is given takes precedence over the one of the same name here.
func TestOwnHeaderStays(t *testing.T) {
	headers := map[string]string{"cmath": "#include <limits>\n"}
	standard.Add(headers, standard.Find, "#include <cmath>\n")
	if headers["cmath"] != "#include <limits>\n" || headers["limits"] == "" || headers["math.h"] != "" {
		t.Errorf("got %q", headers)
	}
}

func TestImplied(t *testing.T) {
	for text, want := range map[string][]string{
		"uint a = UINT_MAX;": {"sys/types.h", "limits.h"}, "uint8_t b; float x = M_PI * FLT_MAX;": {"stdint.h", "float.h", "math.h"}, "int suint, M_PIN;": nil,
	} {
		if got := standard.Implied(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
