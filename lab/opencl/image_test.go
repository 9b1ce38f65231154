package opencl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const imageKernels = `
__constant sampler_t beside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// The sum of the five points of a cross, one half between two columns, a texel of bytes as a fraction, one of the second layer, and one of a
// volume; and the same to an image.
__kernel void mix_images(__read_only image2d_t x, read_only image2d_t bytes, read_only image2d_array_t layers, read_only image3d_t volume,
                         __global float *y, __write_only image2d_t z, int rows, int columns)
{
    const int i = get_global_id(0), j = get_global_id(1);
    if (i >= columns || j >= rows)
        return;
    float sum = read_imagef(x, beside, (int2)(i, j)).x + read_imagef(x, beside, (int2)(i - 1, j)).x + read_imagef(x, beside, (int2)(i + 1, j)).x
        + read_imagef(x, beside, (int2)(i, j - 1)).x + read_imagef(x, beside, (int2)(i, j + 1)).x;
    sum += read_imagef(x, between, (float2)(i + 1.0f, j + 0.5f)).x;
    sum += read_imagef(bytes, beside, (int2)(i, j)).x;
    sum += read_imagef(layers, beside, (int4)(i, j, 1, 0)).y;
    sum += read_imagei(volume, beside, (int4)(i, j, 1, 0)).x;
    y[j * columns + i] = sum;
    write_imagef(z, (int2)(i, j), (float4)(2 * sum, 0, 0, 0));
}
`

const imageAnswer = `
static int at(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
void right(const float *x, const unsigned char *bytes, const float *layers, const short *volume, float *y, float *z, int rows, int columns)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            float sum = x[j * columns + i] + x[j * columns + at(i - 1, columns)] + x[j * columns + at(i + 1, columns)]
                + x[at(j - 1, rows) * columns + i] + x[at(j + 1, rows) * columns + i];
            sum += (x[j * columns + i] + x[j * columns + at(i + 1, columns)]) / 2;
            sum += bytes[j * columns + i] / 255.0f;
            sum += layers[4 * ((rows + j) * columns + i) + 1];
            sum += volume[(rows + j) * columns + i];
            y[j * columns + i] = sum;
            z[j * columns + i] = 2 * sum;
        }
}
`

const imageConfig = `{"algorithm": {"opencl": {"source": "k.cl", "params": [{"name": "ROWS", "default": 40}, {"name": "COLUMNS", "default": 70}],
  "arguments": [
    {"name": "x", "type": "f32", "shape": ["ROWS", "COLUMNS"], "fill": {"random": [-1, 1]}},
    {"name": "bytes", "type": "u8", "shape": ["ROWS", "COLUMNS"], "fill": {"random": [0, 255]}},
    {"name": "layers", "type": "f32x4", "size": "2*ROWS*COLUMNS", "fill": {"random": [-1, 1]}},
    {"name": "volume", "type": "i16", "size": "2*ROWS*COLUMNS", "fill": {"random": [-9, 9]}},
    {"name": "y", "type": "f32", "shape": ["ROWS", "COLUMNS"], "use": "output"},
    {"name": "z", "type": "f32", "shape": ["ROWS", "COLUMNS"], "use": "output"},
    {"name": "rows", "type": "i32", "value": "ROWS"}, {"name": "columns", "type": "i32", "value": "COLUMNS"},
    {"name": "x_2d", "type": "texture", "from": "x"},
    {"name": "bytes_2d", "type": "texture", "from": "bytes", "sampler": {"read": "normalized"}},
    {"name": "layers_2d", "type": "texture", "from": "layers", "shape": [2, "ROWS", "COLUMNS"], "layered": true},
    {"name": "volume_3d", "type": "texture", "from": "volume", "shape": [2, "ROWS", "COLUMNS"]},
    {"name": "z_2d", "type": "surface", "from": "z"}],
  "kernels": [{"name": "mix_images", "grid": ["ceildiv(COLUMNS, 16)", "ceildiv(ROWS, 4)"], "block": [16, 4],
    "arguments": ["x_2d", "bytes_2d", "layers_2d", "volume_3d", "y", "z_2d", "rows", "columns"]}],
  "verify": {"c": {"source": "k.c", "function": "right"}}}},
  "sensors": [], "measure": {"ceilings": false, "timeout_s": 0.1}}`

// Images that kernels read through samplers, whole and between texels, in layers and volumes, and as fractions, and that they write, give
// the right answer; one in the place of another, or of something else, is refused with what the kernel takes.
func TestImages(t *testing.T) {
	dir := t.TempDir()
	write := func(config string) {
		t.Helper()
		for name, text := range map[string]string{"k.cl": imageKernels, "k.c": imageAnswer, "k.json": config} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(strings.Replace(imageConfig, "f32x4", "f32x2", 1)) // in layers, PoCL has four numbers alone
	if said, status := bench(t, dir, "verify", "k.json", "--device", "opencl:0"); status != 1 || !strings.Contains(said, "argument layers_2d: image of [70 40 2] texels of 8 bytes") || !strings.Contains(said, "four numbers a texel") {
		t.Errorf("a texel of two numbers: status %d\n%s", status, said)
	}
	write(imageConfig)
	for _, args := range []string{"verify k.json --device opencl:0 --verify full", "run k.json --set ROWS=1,33 --out run"} {
		if said, status := bench(t, dir, strings.Fields(args)...); status != 0 || !strings.Contains(said, "mix_images") || strings.Contains(said, "wrong") {
			t.Errorf("bench %s: status %d\n%s", args, status, said)
		}
	}
	// And as the other language of a CUDA version, whose objects are numbers.
	both := strings.Replace(imageConfig, `"opencl": {"source": "k.cl"`, `"cuda": {"source": "k.cu", "opencl_source": "k.cl"`, 1)
	write(both)
	const signature = `extern "C" __global__ void mix_images(cudaTextureObject_t x, cudaTextureObject_t bytes, cudaTextureObject_t layers, cudaTextureObject_t volume,
		float *y, cudaSurfaceObject_t z, int rows, int columns) {}`
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(signature), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, status := bench(t, dir, "verify", "k.json", "--device", "opencl:0"); status != 0 || !strings.Contains(said, "mix_images     1   0    0") || both == imageConfig {
		t.Errorf("in both languages: status %d\n%s", status, said)
	}
	for _, c := range []struct{ old, replacement, want string }{
		{`["x_2d", "bytes_2d"`, `["x", "bytes_2d"`, "argument x is no image, and kernel mix_images of k.cl takes __read_only image2d_t x; want the type texture or surface"},
		{`"y", "z_2d"`, `"y", "x_2d"`, "argument x_2d is a texture, and kernel mix_images of k.cl takes __write_only image2d_t z; a texture is read_only and a surface write_only"},
		{`"layers_2d", "volume_3d"`, `"volume_3d", "layers_2d"`, "argument volume_3d is of image3d_t, and kernel mix_images of k.cl takes read_only image2d_array_t layers"},
		{`"from": "x"}`, `"from": "x", "sampler": {"filter": "linear"}}`, "in OpenCL C filter, address and normalized are of a sampler_t, the kernel's own or an argument of the type sampler; want read alone"},
	} {
		if !strings.Contains(imageConfig, c.old) {
			t.Fatalf("the config has no %s", c.old)
		}
		write(strings.Replace(imageConfig, c.old, c.replacement, 1))
		if said, status := bench(t, dir, "validate", "k.json"); status != 2 || !strings.Contains(said, c.want) {
			t.Errorf("%s: status %d, want %q in\n%s", c.replacement, status, c.want, said)
		}
	}
}

// Samplers that are arguments read between texels, by fractions of the image and beyond its sides, each as it says.
func TestSamplers(t *testing.T) {
	dir := t.TempDir()
	const config = `{"algorithm": {"opencl": {"source": "k.cl", "params": [{"name": "ROWS", "default": 20}, {"name": "COLUMNS", "default": 30}],
  "arguments": [
    {"name": "x", "type": "f32", "shape": ["ROWS", "COLUMNS"], "fill": {"random": [-1, 1]}},
    {"name": "y", "type": "f32", "shape": ["ROWS", "COLUMNS"], "use": "output"},
    {"name": "rows", "type": "i32", "value": "ROWS"}, {"name": "columns", "type": "i32", "value": "COLUMNS"},
    {"name": "x_2d", "type": "texture", "from": "x"},
    {"name": "clamped", "type": "sampler"},
    {"name": "zeros", "type": "sampler", "sampler": {"address": "border"}},
    {"name": "again", "type": "sampler", "sampler": {"filter": "linear", "address": "wrap", "normalized": true}}],
  "kernels": [{"name": "sampled", "grid": ["COLUMNS", "ROWS"], "block": [1, 1], "arguments": ["x_2d", "clamped", "zeros", "again", "y", "rows", "columns"]}],
  "verify": {"c": {"source": "k.c", "function": "right"}, "tolerance": 0.02}}},
  "sensors": [], "measure": {"ceilings": false, "timeout_s": 0.1}}`
	const kernel = `
__kernel void sampled(read_only image2d_t x, sampler_t clamped, sampler_t zeros, const sampler_t again, __global float *y, int rows, int columns)
{
    const int i = get_global_id(0), j = get_global_id(1);
    y[j * columns + i] = read_imagef(x, clamped, (int2)(i - 1, j)).x + 3 * read_imagef(x, zeros, (int2)(i - 1, j)).x
        + 9 * read_imagef(x, again, (float2)((i + 1.0f) / columns, (j + 0.5f) / rows + 1)).x;
}`
	const answer = `void right(const float *x, float *y, int rows, int columns)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            y[j * columns + i] = x[j * columns + (i ? i - 1 : 0)] + (i ? 3 * x[j * columns + i - 1] : 0)
                + 4.5f * (x[j * columns + i] + x[j * columns + (i + 1) % columns]);
}`
	write := func(config string) {
		t.Helper()
		for name, text := range map[string]string{"k.cl": kernel, "k.c": answer, "k.json": config} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(config)
	if said, status := bench(t, dir, "verify", "k.json", "--device", "opencl:0", "--verify", "full"); status != 0 || !strings.Contains(said, "sampled        1   0    0") {
		t.Errorf("status %d\n%s", status, said)
	}
	for _, c := range []struct{ old, replacement, want string }{
		{`"address": "border"`, `"address": "clamp"`, "wrong"},
		{`"filter": "linear", `, "", "wrong"},
		{`["x_2d", "clamped"`, `["x_2d", "rows"`, "argument rows is no sampler, and kernel sampled of k.cl takes sampler_t clamped; want the type sampler"},
		{`"again", "y"`, `"x_2d", "y"`, "argument x_2d is of image2d_t, and kernel sampled of k.cl takes const sampler_t again"},
		{`"clamped", "type": "sampler"`, `"clamped", "type": "sampler", "size": 4`, "a sampler is how images are read; want name, type and sampler alone"},
		{`{"address": "border"}`, `{"address": ["border", "clamp"]}`, "OpenCL reads alike beyond every side; want one word"},
		{`{"address": "border"}`, `{"address": "mirror"}`, `mirror is for coordinates from 0 to 1; want "normalized": true`},
		{`{"address": "border"}`, `{"read": "normalized"}`, "how whole numbers are read is a texture's"},
		{`"opencl": {"source": "k.cl"`, `"cuda": {"source": "k.cl"`, "a sampler is an argument in OpenCL alone; in CUDA it is part of a texture"},
	} {
		if strings.Count(config, c.old) != 1 {
			t.Fatalf("the config has no single %s", c.old)
		}
		write(strings.Replace(config, c.old, c.replacement, 1))
		if said, status := bench(t, dir, "verify", "k.json", "--device", "opencl:0", "--verify", "full"); status == 0 || !strings.Contains(said, c.want) {
			t.Errorf("%s: status %d, want %q in\n%s", c.replacement, status, c.want, said)
		}
	}
}
