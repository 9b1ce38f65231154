package kernel

import (
	"maps"
	"strings"
	"testing"

	"bench/cuda"
	"bench/framework"
	"bench/framework/algorithmtest"
)

const imageKernels = `texture<float, 1, cudaReadModeElementType> old;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
__global__ void read(float *y, cudaTextureObject_t linear, cudaTextureObject_t image, cudaTextureObject_t volume, cudaTextureObject_t stack, float4 *z, cudaTextureObject_t four) {
    int i = threadIdx.x;
    y[i] = tex1Dfetch<float>(linear, i - 4) + tex1Dfetch(old, i);
    y[32 + i] = tex2D<float>(image, i / 8.0f - 1, 0.3f * i);
    y[64 + i] = tex3D<float>(volume, i / 16.0f - 0.5f, 0.3f, 0.03f * i);
    y[96 + i] = tex2DLayered<float>(stack, i % 4 + 0.5f, i / 4 + 0.5f, 1);
    y[128 + i] = tex2D(bytes, i % 8, i / 8);
    z[i] = tex2D<float4>(four, i * 0.1f, 0.2f);
}
__global__ void turn(cudaSurfaceObject_t s, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    float v = surf2Dread<float>(s, x * 4, y);
    surf2Dwrite(2 * v, s, x * 4, y);
}
`

const imageRight = `#include <math.h>
static float at(const float *m, int w, int h, int x, int y, int border) { if (x<0||y<0||x>=w||y>=h) { if (border) return 0; x=x<0?0:x>=w?w-1:x; y=y<0?0:y>=h?h-1:y; } return m[y*w+x]; }
static float q(float a) { return floorf(a*256+0.5f)/256; }
static void all(float *y, float *z, float *s, const float *l, const float *m, const float *v, const float *k, const unsigned char *b, const float *f) {
  for (int i=0;i<32;i++) {
    y[i] = (i>=4? l[i-4]:0) + l[i];
    float x=i/8.0f-1-0.5f, yy=0.3f*i-0.5f; int xi=floorf(x), yi=floorf(yy); float a=q(x-xi), c=q(yy-yi);
    y[32+i]=(1-a)*(1-c)*at(m,8,8,xi,yi,1)+a*(1-c)*at(m,8,8,xi+1,yi,1)+(1-a)*c*at(m,8,8,xi,yi+1,1)+a*c*at(m,8,8,xi+1,yi+1,1);
    int X=floorf((i/16.0f-0.5f)*4), Y=floorf(0.3f*4), Z=floorf(0.03f*i*4); X=((X%4)+4)%4; Z=((Z%4)+4)%4;
    y[64+i]=v[(Z*4+Y)*4+X];
    y[96+i]=k[32+i];
    y[128+i]=b[i]/255.0f;
    for (int c=0;c<4;c++) { int xx=i*0.1f; z[4*i+c]=f[4*(xx>3?3:xx)+c]; }
  }
  for (int i=0;i<32*4;i++) s[i]*=2;
}
void right(float *y, float *z, float *s, const float *l, const float *m, const float *v, const float *k, const unsigned char *b, const float *f, int w) { all(y, z, s, l, m, v, k, b, f); }
`

const imageConfig = `{"algorithm": {"cuda": {"source": "tex.cu",
 "arguments": [
  {"name": "y", "type": "f32", "size": 160, "use": "output"},
  {"name": "z", "type": "f32x4", "size": 32, "use": "output"},
  {"name": "s", "type": "f32", "shape": [4, 32], "use": "in_place", "fill": {"random": [-1, 1]}},
  {"name": "l", "type": "f32", "size": 32, "fill": {"random": [-1, 1]}},
  {"name": "m", "type": "f32", "shape": [8, 8], "fill": {"random": [-1, 1]}},
  {"name": "v", "type": "f32", "shape": [4, 4, 4], "fill": {"random": [-1, 1]}},
  {"name": "k", "type": "f32", "shape": [2, 8, 4], "fill": {"random": [-1, 1]}},
  {"name": "b", "type": "u8", "shape": [4, 8], "fill": {"random": [0, 255]}},
  {"name": "f", "type": "f32x4", "shape": [2, 4], "fill": {"random": [-1, 1]}},
  {"name": "linear", "type": "texture", "from": "l"},
  {"name": "image", "type": "texture", "from": "m", "sampler": {"filter": "linear", "address": "border"}},
  {"name": "volume", "type": "texture", "from": "v", "sampler": {"normalized": true, "address": ["wrap", "clamp", "wrap"]}},
  {"name": "stack", "type": "texture", "from": "k", "layered": true},
  {"name": "bytes", "type": "texture", "from": "b", "sampler": {"read": "normalized"}},
  {"name": "four", "type": "texture", "from": "f"},
  {"name": "surface", "type": "surface", "from": "s"},
  {"name": "w", "type": "i32", "value": 32}],
 "constants": [{"name": "old", "from": "linear"}, {"name": "bytes", "from": "bytes"}],
 "kernels": [{"name": "read", "grid": 1, "block": 32, "arguments": ["y", "linear", "image", "volume", "stack", "z", "four"]},
  {"name": "turn", "grid": 4, "block": 32, "arguments": ["surface", "w", "w"]}],
 "verify": {"c": {"source": "right.c", "function": "right"}}}}}
`

// Textures of one to three dimensions, layers, linear filtering, borders, coordinates from 0 to 1, references, and surfaces.
func TestTexturesAndSurfaces(t *testing.T) {
	all := map[string]string{"x.json": strings.Replace(imageConfig, "tex.cu", "x.cu", 1), "x.cu": imageKernels, "right.c": imageRight}
	path := files(t, all)
	algorithmtest.Solve(t, factory(t, path), device(t), "read", nil, nil)
	a := built(t, path)
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, cuda.Facts{}, v.launches)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiler(t).Compile(s, "sm_90"); err != nil {
		t.Error(err)
	}
	for change, want := range map[string]string{
		`"address": "border"|"address": "clamp"`: "", `"filter": "linear", |`: "", `["wrap", "clamp", "wrap"]|["mirror", "clamp", "wrap"]`: "",
		`x.cu:tex2D<float>(image|tex2D<int>(image`:                                                         "x.cu:6: reads whole numbers with linear filtering",
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
		config := strings.Replace(strings.Replace(imageConfig, "tex.cu", "x.cu", 1), old, to, 1)
		_, err := load(files(t, map[string]string{"x.json": config, "x.cu": imageKernels, "right.c": imageRight}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", change, err, want)
		}
	}
	path := files(t, map[string]string{"x.json": strings.Replace(strings.Replace(imageConfig, "tex.cu", "x.cu", 1), `"from": "f"}`, `"from": "f", "shape": [3, 8]}`, 1), "x.cu": imageKernels, "right.c": imageRight})
	f := factory(t, path)
	if err := f.Versions[0].Supports(params(f, nil), device(t).Facts()); err == nil || !strings.Contains(err.Error(), "argument four: its shape has 24 texels, and f 8") {
		t.Error(err)
	}
}
