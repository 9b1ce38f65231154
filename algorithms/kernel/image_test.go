package kernel

import (
	"maps"
	"os"
	"strings"
	"testing"

	"example.org/bench/framework/algorithmtest"
)

// imageFiles returns the config of testdata with its files, as x.json and x.cu.
func imageFiles(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for from, to := range map[string]string{"images.json": "x.json", "images.cu": "x.cu", "images.c": "images.c"} {
		b, err := os.ReadFile("testdata/others/" + from)
		if err != nil {
			t.Fatal(err)
		}
		texts[to] = strings.Replace(string(b), "images.cu", "x.cu", 1)
	}
	return texts
}

// Textures of one to three dimensions, layers, linear filtering, borders, coordinates from 0 to 1, references, and surfaces.
func TestTexturesAndSurfaces(t *testing.T) {
	all := imageFiles(t)
	path := files(t, all)
	algorithmtest.Solve(t, factory(t, path), device(t), "read", nil, nil)
	compiles(t, path, "sm_90")
	for change, want := range map[string]string{
		`"address": "border"|"address": "clamp"`: "", `"filter": "linear", |`: "", `["wrap", "clamp", "wrap"]|["mirror", "clamp", "wrap"]`: "",
		`x.cu:tex2D<float>(image|tex2D<int>(image`:                                                         "x.cu:7: reads whole numbers with linear filtering",
		`x.cu:tex1Dfetch<float>(linear|tex1D<float>(linear`:                                                "want an address or a filter in the config",
		`x.cu:surf2Dwrite(2 * v, s, x * 4|surf2Dwrite(2 * v, s, x * 4 + 4`:                                 "reads or writes outside of a surface",
		`x.cu:surf2Dwrite(2 * v, s, x * 4|surf2Dwrite(2 * v, s, x * 4 + 2`:                                 "x counts bytes",
		`{"read": "normalized"}|{"read": "element"}`:                                                       "reads a texture of whole numbers as floats",
		`"stack", "type": "texture", "from": "k", "layered": true|"stack", "type": "texture", "from": "k"`: "reads a texture of other dimensions",
	} {
		changed := maps.Clone(all)
		name, rest, found := strings.Cut(change, ":")
		if !found || name != "x.cu" {
			name, rest = "x.json", change
		}
		old, to, _ := strings.Cut(rest, "|")
		if changed[name] = strings.Replace(changed[name], old, to, 1); changed[name] == all[name] {
			t.Fatalf("%s: nothing is changed", change)
		}
		f := factory(t, files(t, changed))
		checks, _, err := algorithmtest.Try(f, device(t), "read", nil, nil)
		if want == "" && (err != nil || algorithmtest.Good(checks)) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v; want %q", change, checks, err, want)
		}
	}
}

// What is wrong with a texture is told at its place in the config.
func TestTexturesRefused(t *testing.T) {
	all := imageFiles(t)
	for change, want := range map[string]string{
		`"from": "l"}|"from": "l", "use": "input"}`:                                                          "a texture is over another argument",
		`"from": "k", "layered": true|"from": "l", "layered": true`:                                          "the first extent counts layers",
		`"surface", "from": "s"|"surface", "from": "m"`:                                                      "m is an input, which kernels do not change",
		`["y", "linear", |["y", "s", `:                                                                       "argument s is no texture, and kernel read of",
		`["y", "linear", |["y", "surface", `:                                                                 "argument surface is a surface, and kernel read of",
		`"f32", "size": 32, "fill": {"random": [-1, 1]}},|"c128", "size": 32, "fill": {"random": [-1, 1]}},`: "l is of c128, which is no texel",
		`{"name": "w", |{"name": "w", "layered": true, `:                                                     "layered and sampler are of a texture or a surface",
	} {
		old, to, _ := strings.Cut(change, "|")
		changed := maps.Clone(all)
		changed["x.json"] = strings.Replace(all["x.json"], old, to, 1)
		_, err := load(files(t, changed))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", change, err, want)
		}
	}
	all["x.json"] = strings.Replace(all["x.json"], `"from": "f"}`, `"from": "f", "shape": [3, 8]}`, 1)
	path := files(t, all)
	f := factory(t, path)
	if err := f.Versions[0].Supports(params(f, nil), device(t).Facts()); err == nil || !strings.Contains(err.Error(), "argument four: its shape has 24 texels, and f 8") {
		t.Error(err)
	}
}
