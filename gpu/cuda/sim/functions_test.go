package sim_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

// values runs one thread that leaves the expressions' values as doubles.
func values(t *testing.T, d gpu.Device, arguments string, list []string) []float64 {
	t.Helper()
	var text strings.Builder
	text.WriteString("#include <cuda_fp16.h>\nextern \"C\" __global__ void values(double* out) {\n" + arguments + "\n")
	for i, x := range list {
		fmt.Fprintf(&text, "out[%d] = static_cast<double>(%s);\n", i, x)
	}
	k := compile(t, d, "values", text.String()+"}")
	out := upload(t, d, make([]float64, len(list)))
	launch(t, k, gpu.Launch{}, out)
	return download[float64](t, d, out, len(list))
}

// near compares values by name with what is right, to within units of 2^-50 of it.
func near(t *testing.T, d gpu.Device, arguments string, right map[string]float64, units float64) {
	t.Helper()
	var list []string
	for x := range right {
		list = append(list, x)
	}
	for i, got := range values(t, d, arguments, list) {
		want := right[list[i]]
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got-want) <= units*0x1p-50*math.Abs(want)) {
			t.Errorf("%s: %v, want %v", list[i], got, want)
		}
	}
}

// The values are those of Go's functions, of tables (Abramowitz and Stegun, 9.8) and of an asymptotic series (7.1.23).
func TestSpecialFunctions(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	near(t, d, "double x = 0.3, big = 1.7, tiny = 1e-50;", map[string]float64{
		"erfinv(x)": math.Erfinv(0.3), "erfinv(-0.97)": math.Erfinv(-0.97), "erfinv(1.0)": math.Inf(1), "erfinv(2.0)": math.NaN(), "erfcinv(big)": math.Erfcinv(1.7),
		"erfc(erfcinv(tiny)) / tiny": 1, "normcdf(big)": 0.5 * math.Erfc(-1.7/math.Sqrt2), "normcdfinv(x)": math.Sqrt2 * math.Erfinv(2*0.3-1),
		"erfcx(big)": math.Exp(1.7*1.7) * math.Erfc(1.7), "erfcx(9.99) * 9.99 - erfcx(10.01) * 10.01 < 0": 1, "erfcx(20.0)": (1 - 1/800. + 3/64e4 - 15/512e6 + 105/4096e8 - 945/32768e10) / (20 * math.Sqrt(math.Pi)),
		"j0(big)": math.J0(1.7), "j1(big)": math.J1(1.7), "jn(3, big)": math.Jn(3, 1.7), "y0(big)": math.Y0(1.7), "y1(big)": math.Y1(1.7), "yn(2, big)": math.Yn(2, 1.7),
		"cyl_bessel_i0(1.0)": 1.2660658777520083, "cyl_bessel_i1(-1.0)": -0.5651591039924851, "cyl_bessel_i0(50.0)": 2.9325537838493363e20, "cyl_bessel_i1(39.99) / cyl_bessel_i1(40.01) < 1": 1,
		"norm3d(2.0, 3.0, 6.0)": 7, "norm4d(1e200, 1e200, 1e200, 1e200)": 2e200, "rnorm3d(2.0, 3.0, 6.0)": 1 / 7.0, "rhypot(3.0, 4.0)": 0.2,
		"llround(2.5)": 3, "lround(-2.5f)": -3, "nan(\"\")": math.NaN(), "umin(3u, 4u)": 3, "llmax(-5ll, -6ll)": -5, "ullmin(1ull << 63, 7ull)": 7,
	}, 64)
	near(t, d, "float x = 0.3f;", map[string]float64{
		"erfinvf(x)": math.Erfinv(0.3), "normcdfinvf(x)": math.Sqrt2 * math.Erfinv(2*0.3-1), "rnorm4df(1, 1, 1, 1)": 0.5, "j0f(x)": math.J0(0.3), "erfcxf(x)": math.Exp(0.09) * math.Erfc(0.3),
	}, 0x1p29)
}

// Each operation in each direction, against exact arithmetic rounded so.
func TestDirectedRounding(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	const a, b = float32(1.1), float32(3.3)
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	x, y := exact(float64(a)), exact(float64(b))
	one := exact(1)
	results := map[string]*big.Float{
		"add": new(big.Float).Add(x, y), "sub": new(big.Float).Sub(x, y), "mul": new(big.Float).Mul(x, y),
		"div": new(big.Float).Quo(x, y), "rcp": new(big.Float).Quo(one, y), "sqrt": new(big.Float).Sqrt(y),
		"fma": new(big.Float).Sub(new(big.Float).Mul(x, y), one),
	}
	calls := map[string]string{"add": "%sadd_%s(a, b)", "sub": "%ssub_%s(a, b)", "mul": "%smul_%s(a, b)", "div": "%sdiv_%s(a, b)", "rcp": "%srcp_%s(b)", "sqrt": "%ssqrt_%s(b)"}
	for _, kind := range []struct {
		letter, fma, variables string
		precision              uint
	}{{"__f", "__fmaf_%s(a, b, -1)", "float a = 1.1f, b = 3.3f;", 24}, {"__d", "__fma_%s(a, b, -1)", "double a = 1.1f, b = 3.3f;", 53}} {
		right := map[string]float64{}
		for mode, to := range map[string]big.RoundingMode{"rn": big.ToNearestEven, "rz": big.ToZero, "rd": big.ToNegativeInf, "ru": big.ToPositiveInf} {
			for name, r := range results {
				v, _ := new(big.Float).SetPrec(kind.precision).SetMode(to).Set(r).Float64()
				if name == "fma" {
					right[fmt.Sprintf(kind.fma, mode)] = v
				} else {
					right[fmt.Sprintf(calls[name], kind.letter, mode)] = v
				}
			}
		}
		near(t, d, kind.variables, right, 0)
	}
	near(t, d, "float x = 2.5f; double y = -2.5; long long n = (1ll << 53) + 1; unsigned u = 0xffffffffu; double third = 1.0 / 3;", map[string]float64{
		"__float2int_rn(x)": 2, "__float2ll_rd(-x)": -3, "__float2uint_ru(x)": 3, "__float2uint_rz(-x)": 0, "__double2ull_rn(1e30)": math.MaxUint64, "__double2int_rz(y)": -2, "__float2int_rz(1e30f)": math.MaxInt32,
		"__float2int_rz(nanf(\"\"))": 0, "__double2ll_ru(y)": -2, "__ll2double_rn(n)": 1 << 53, "__ll2double_ru(n)": 1<<53 + 2, "__uint2float_rz(u)": 0xffffff00, "__uint2float_rn(u)": 1 << 32, "__uint2double_rn(u)": 0xffffffff,
		"__double2float_rd(third) < third && third < __double2float_ru(third)": 1,
	}, 0)
}

func TestSIMDWords(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	near(t, d, "unsigned a = 0x80ff017fu, b = 0x7f0102ffu;", map[string]float64{
		"__vadd4(a, b)": 0xff00037e, "__vadd2(a, b)": 0x0000047e, "__vsub4(a, b)": 0x01feff80, "__vaddss4(a, b)": 0xff00037e, "__vaddus4(a, b)": 0xffff03ff, "__vsubus4(a, b)": 0x01fe0000, "__vsubss4(a, b)": 0x80feff7f,
		"__vmaxs4(a, b)": 0x7f01027f, "__vmaxu4(a, b)": 0x80ff02ff, "__vmins2(a, b)": 0x80ff017f, "__vminu4(a, b)": 0x7f01017f, "__vabs4(a)": 0x8001017f, "__vabsss4(a)": 0x7f01017f, "__vneg2(a)": 0x7f01fe81,
		"__vavgu4(a, b)": 0x808002bf, "__vhaddu4(a, b)": 0x7f8001bf, "__vabsdiffu4(a, b)": 0x01fe0180, "__vsadu4(a, b)": 0x01 + 0xfe + 0x01 + 0x80, "__vsads4(a, b)": 255 + 2 + 1 + 128,
		"__vcmpgtu4(a, b)": 0xffff0000, "__vcmpgts4(a, b)": 0x000000ff, "__vsetleu2(a, b)": 0x00000001, "__vseteq4(a, a)": 0x01010101, "__vcmpne2(a, a)": 0,
		"__dp4a((int)a, (int)b, 5)": -128*127 - 1 + 2 - 127 + 5, "__dp4a(a, b, 5u)": 128*127 + 255 + 2 + 127*255 + 5, "__dp4a(make_char4(1, 2, 3, 4), make_char4(-1, 1, 1, 1), 0)": 8,
		"__dp2a_lo((int)0xfffe0003u, 0x05060708, 1)": -2*7 + 3*8 + 1, "__dp2a_hi(0xfffe0003u, 0x05060708u, 1u)": 0xfffe*5 + 3*6 + 1,
		"__hadd(-3, 0)": -2, "__rhadd(-3, 0)": -1, "__uhadd(0xffffffffu, 1u)": 0x80000000, "__urhadd(2u, 3u)": 3,
		"__fns(0x15u, 0, 2)": 2, "__fns(0x15u, 4, -2)": 2, "__fns(0x15u, 1, 0)": 0xffffffff, "__fns(0x15u, 2, 0)": 2, "__fns(0x15u, 0, 4)": 0xffffffff, "__funnelshift_lc(1u, 2u, 40u)": 1,
		"__high2float(__half2(1.0f, -2.0f))": -2, "__low2float(__hcmadd(__half2(1.f, 2.f), __half2(3.f, 4.f), __half2(10.f, 20.f)))": 3 - 8 + 10, "__high2float(__hcmadd(__half2(1.f, 2.f), __half2(3.f, 4.f), __half2(10.f, 20.f)))": 4 + 6 + 20,
	}, 0)
}

// What a pointer points to, memory of the thread's own, and vectors that are added to.
func TestSpacesOfMemory(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "spaces", `
extern "C" __global__ void spaces(int* out, float4* sum) {
  __shared__ int s[64];
  extern __shared__ int x[];
  int own = threadIdx.x;
  int* more = (int*)malloc(16);
  int* less = (int*)alloca(16);
  more[3] = less[3] = own;
  out[own] = __isShared(s + own) && __isShared(x) && !__isGlobal(s) && __isGlobal(out) && !__isShared(out) && __isLocal(&own) && !__isLocal(out) &&
    __cvta_generic_to_shared(s + 1) - __cvta_generic_to_shared(s) == 4 && __cvta_generic_to_shared(x) != __cvta_generic_to_shared(s) && more[3] == own && less[3] == own;
  free(more);
  atomicAdd(sum, make_float4(1, 2, 3, 4));
}`)
	out, sum := upload(t, d, make([]int32, 64)), upload(t, d, make([]float32, 4))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 64}, SharedBytes: 16}, out, sum)
	equal(t, download[int32](t, d, out, 64), func(int) int32 { return 1 })
	equal(t, download[float32](t, d, sum, 4), func(i int) float32 { return float32(64 * (i + 1)) })
}

// An object that is none fails where it is used, and dimensions are held against the object's.
func TestNoTextures(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "textured", `
__device__ float at(cudaTextureObject_t t, float x, float y) { return tex2D<float>(t, x, y) + tex1Dfetch<float4>(t, 3).x; }
__device__ void to(cudaSurfaceObject_t s, int x) { surf2Dwrite(1.0f, s, x * 4, 0); }
extern "C" __global__ void textured(float* out, cudaTextureObject_t t) {
  if (t > 1) to(t, 2);
  out[0] = t == 1 ? 1 : at(t, 0.5f, 0.5f);
}`)
	out := upload(t, d, make([]float32, 1))
	launch(t, k, gpu.Launch{}, out, uint64(1))
	fails(t, k, gpu.Launch{}, []any{out, uint64(0)}, "textured.cu:2: reads a texture or a surface that is 0")
	linear, err := d.LinearTexture(out, gpu.Array{Width: 1, Texel: gpu.Texel{Kind: gpu.FloatTexel, Bytes: 4, Channels: 1}}, gpu.Sampler{})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, k, gpu.Launch{}, []any{out, linear}, "textured.cu:3: uses a surface of other dimensions")
}

// Conversions from and to half precision in each direction: one of 2049 lies between 2048 and 2050, 70000 beyond 65504.
func TestHalfRoundings(t *testing.T) {
	t.Parallel()
	near(t, open(t, 1), "__half h = __float2half(-2.5f), big = __float2half(60000.0f), nan = __float2half(nanf(\"\"));", map[string]float64{
		"float(__int2half_rd(2049))": 2048, "float(__int2half_ru(2049))": 2050, "float(__int2half_rz(-2049))": -2048, "float(__uint2half_rn(2051u))": 2052, "float(__ll2half_rd(-2049ll))": -2050,
		"float(__short2half_rz(2047))": 2047, "float(__float2half_rz(70000.0f))": 65504, "float(__float2half_rd(1e-9f))": 0, "float(__float2half_ru(1e-9f))": 0x1p-24, "float(__float2half_rd(-1e-9f))": -0x1p-24,
		"float(__float2half_ru(-70000.0f))": -65504, "float(__ull2half_ru(70000ull))": math.Inf(1), "__half2int_rd(h)": -3, "__half2int_ru(h)": -2, "__half2int_rn(h)": -2, "__half2uint_rz(h)": 0,
		"__half2short_rz(big)": 32767, "__half2ushort_ru(big)": 60000, "__half2int_rz(nan)": 0, "__half2ll_rn(nan)": -0x1p63, "__half2ull_rz(nan)": 0x1p63,
	}, 0)
}
