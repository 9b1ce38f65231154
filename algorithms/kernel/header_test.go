package kernel

import (
	"testing"

	"bench/framework"
	"bench/framework/algorithmtest"
)

// Headers in brackets, above the config, and in the folders that options name; in what they include too.
func TestFoldersOfHeaders(t *testing.T) {
	const config = `{"algorithm": {"cuda": {"source": "k/x.cu", "options": ["-I", "far", "--include-path=other", "-Iunused"],
 "arguments": [{"name": "y", "type": "i32", "size": 32, "use": "output"}],
 "kernels": [{"name": "sum", "grid": 1, "block": 32}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`
	path := files(t, map[string]string{
		"x.json": config, "x.c": "void right(int32_t *y) { for (int i = 0; i < 32; i++) y[i] = 12345; }\n",
		"k/x.cu":     "#include \"../up.h\"\n#include <far.h>\n#include <beside.h>\n#include \"other.h\"\nextern \"C\" __global__ void sum(int *y) { y[threadIdx.x] = UP + FAR + DEEP + BESIDE + OTHER; }\n",
		"up.h":       "#define UP 10000\n",
		"far/far.h":  "#include \"deep/deep.h\"\n#define FAR 2000\n",
		"k/far.h":    "#error the folder of an option comes first\n",
		"k/beside.h": "#define BESIDE 40\n", "other/other.h": "#define OTHER 5\n",
		"far/deep/deep.h": "#include \"more.h\"\n", "far/deep/more.h": "#define DEEP 300\n",
	})
	algorithmtest.Solve(t, factory(t, path), device(t), "sum", nil, nil)

	a := built(t, path)
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, v.Kernels)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiler(t).Compile(s, "sm_53"); err != nil {
		t.Error(err)
	}
}
