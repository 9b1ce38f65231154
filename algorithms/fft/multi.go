package fft

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// mostKernels that version "multi" takes.
const mostKernels = 3

// multiGPU is the literature's way to long transforms: each kernel has its own tunables,
// and what one resolves is not left to the others.
func multiGPU() framework.Version {
	v := framework.Version{
		Name:        "multi",
		Doc:         "two or three kernels, each with its own S, P, L and r (1 everywhere: no third kernel)",
		Source:      "Performance Tuning for GPU-Embedded Systems: Machine-Learning-Based and Analytical Model-Driven Tuning Methodologies, section IV-C",
		Processor:   framework.GPU,
		Portable:    true,
		Supports:    beyondOneBlock,
		Defaults:    multiDefaults,
		Valid:       multiValid,
		DeviceBytes: multiDeviceBytes,
		HostBytes:   hostBytesGPU,
		New: framework.Typed(func(env framework.Env, q *problem, v framework.Values) (*stockham, error) {
			passes, err := planMulti(q.N, q.Double, v)
			if err != nil {
				return nil, err
			}
			return &stockham{GPURun: framework.GPURun{Env: env}, p: q, stages: stagesOf(passes)}, nil
		}),
	}
	for i := range mostKernels {
		suffix := kernelSuffix(i)
		values := func(from, to int64) []int64 {
			if i < mostKernels-1 {
				return framework.PowersOfTwo(from, to)
			}
			return append([]int64{1}, framework.PowersOfTwo(from, to)...)
		}
		v.Tunables = append(v.Tunables,
			framework.Tunable{Name: "N" + suffix, Doc: "elements of a column of kernel " + suffix + "; N1·N2·N3 = N", Values: values(16, 2048)},
			framework.Tunable{Name: "S" + suffix, Doc: "elements in shared memory per block of kernel " + suffix, Values: values(256, 1<<14)},
			framework.Tunable{Name: "P" + suffix, Doc: "elements per thread of kernel " + suffix, Values: values(2, 64)},
			framework.Tunable{Name: "L" + suffix, Doc: "threads per block of kernel " + suffix, Values: values(32, 1024)},
			framework.Tunable{Name: "r" + suffix, Doc: "radix of a step of kernel " + suffix, Values: values(2, 64)})
	}
	v.Tunables = append(v.Tunables,
		framework.Tunable{Name: "SPLIT", Doc: "1: all kernels exchange real and imaginary parts in turn, in half the shared memory", Values: []int64{0, 1}},
		framework.Tunable{Name: "B", Doc: "least number of blocks per multiprocessor that must have registers, of each kernel", Values: []int64{1, 2, 3, 4, 8, 16}})
	return v
}

func kernelSuffix(i int) string { return fmt.Sprint(i + 1) }

// beyondOneBlock: the literature's kernels hold 4096 elements at most.
func beyondOneBlock(params framework.Values, facts gpu.Facts) error {
	const most = 4096
	if n := params.Int("N"); n <= most {
		return fmt.Errorf("N = %d fits one block; want more than %d", n, most)
	}
	return doubles(params, facts)
}

// severalDefaults are S, P, L, r, SPLIT and B of passes that are all alike. On an embedded
// GPU they are the literature's, where (2048, 8, 512) is printed, which is not S = P·L;
// elsewhere those that were measured for version "stockham" (algorithms/fft/README.md).
func severalDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	n, wide := params.Int("N"), facts.SharedOptIn >= 72<<10
	switch {
	case facts.OpenCL != nil && facts.MaxThreadsBlock < 256:
		return tunables(1024, 8, 128, 8, 1, 1)
	case facts.OpenCL != nil || facts.Embedded():
		return tunables(2048, 8, 256, 8, 1, 1)
	case params.Text("precision") == "f64" || n <= 8192: // which a block of 8192 would hold
		return tunables(4096, 16, 256, 16, 1, 2)
	case n <= 1<<18 || !wide:
		return tunables(8192, 16, 512, 16, 1, 2)
	case n <= 1<<20:
		return tunables(16384, 32, 512, 32, 1, 1)
	}
	return tunables(16384, 64, 256, 64, 1, 1)
}

// multiDefaults are severalDefaults, but for lengths at which an H200 was faster otherwise with 2^24 and with
// 2^26 elements alike (results/h200-multi-defaults).
func multiDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	n, double := params.Int("N"), params.Text("precision") == "f64"
	like := severalDefaults(params, facts)
	measured := !double && facts.OpenCL == nil && !facts.Embedded() && facts.SharedOptIn >= 72<<10
	switch {
	case !measured || n <= 8192:
	case n <= 1<<15:
		like = tunables(4096, 16, 256, 16, 1, 2)
	case n == 1<<17 || n == 1<<18:
		like = tunables(8192, 32, 256, 32, 1, 2)
	}
	sizes, err := passSizes(int(n), int(like.Int("S")), double)
	v := framework.Values{"SPLIT": like["SPLIT"], "B": like["B"]}
	for i := range mostKernels {
		suffix, size, of := kernelSuffix(i), 1, tunables(1, 1, 1, 1, 1, 1)
		if err == nil && i < len(sizes) {
			size, of = sizes[i], like
			switch {
			case !measured || n <= 1<<20:
			case i == 0 && size == 2048:
				of = tunables(8192, 64, 128, 64, 1, 1)
			case size == 1024:
				of = tunables(16384, 32, 512, 32, 1, 1)
			}
		}
		v["N"+suffix] = framework.IntValue(int64(size))
		for _, name := range []string{"S", "P", "L", "r"} {
			v[name+suffix] = of[name]
		}
	}
	return v
}

// planMulti is how tunables v transform n elements.
func planMulti(n int, double bool, v framework.Values) ([]pass, error) {
	var passes []pass
	ns := 1
	for i := range mostKernels {
		suffix := kernelSuffix(i)
		size := int(v.Int("N" + suffix))
		if i == mostKernels-1 && size == 1 {
			for _, name := range []string{"S", "P", "L", "r"} {
				if x := v.Int(name + suffix); x != 1 {
					return nil, fmt.Errorf("%s%s = %d: want 1, because N%s = 1 means no such kernel", name, suffix, x, suffix)
				}
			}
			break
		}
		if size < 2 || size&(size-1) != 0 || n%(ns*size) != 0 {
			return nil, fmt.Errorf("N%s = %d is not a power of two that divides what is left of N = %d, %d", suffix, size, n, n/ns)
		}
		like, err := tileOf(v, suffix, double)
		if err != nil {
			return nil, err
		}
		p, err := planPass(n, ns, size, int(v.Int("S"+suffix)), like)
		if err != nil {
			return nil, fmt.Errorf("kernel %s: %w", suffix, err)
		}
		passes = append(passes, p)
		ns *= size
	}
	if ns != n {
		return nil, fmt.Errorf("the product of N1, N2 and N3 is %d, want N = %d", ns, n)
	}
	return passes, nil
}

func stagesOf(passes []pass) []stage {
	stages := make([]stage, len(passes))
	for i, p := range passes {
		stages[i] = p
	}
	return stages
}

func planMultiOf(params, v framework.Values) ([]pass, error) {
	return planMulti(int(params.Int("N")), params.Text("precision") == "f64", v)
}

func multiValid(params, v framework.Values, facts gpu.Facts) error {
	passes, err := planMultiOf(params, v)
	if err != nil {
		return err
	}
	for i, p := range passes {
		if err := roomFor([]stage{p}, kernelSuffix(i), params, v, facts); err != nil {
			return err
		}
	}
	return nil
}

func multiDeviceBytes(params, v framework.Values) int64 {
	passes, err := planMultiOf(params, v)
	if err != nil {
		return 0
	}
	return deviceBytes(stagesOf(passes), params)
}
