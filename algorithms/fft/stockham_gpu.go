package fft

import (
	"cmp"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{stockhamGPU(), multiGPU(), cooperativeGPU(), cufft(), clfft()}
}

func stockhamGPU() framework.Version {
	return framework.Version{
		Name: "stockham",
		Doc:  "autosort FFT: one kernel where a transform fits in shared memory, else as few as possible",
		Source: "Tuning methodologies for parallel prefix operations on GPU-embedded systems; " +
			"Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), section 1.7",
		Processor: framework.GPU,
		Portable:  true,
		Tunables: []framework.Tunable{
			{Name: "S", Doc: "elements in shared memory per block", Values: framework.PowersOfTwo(64, 1<<14)},
			{Name: "P", Doc: "elements per thread", Values: framework.PowersOfTwo(2, 64)},
			{Name: "L", Doc: "threads per block", Values: framework.PowersOfTwo(32, 1024)},
			{Name: "r", Doc: "radix of a step; the last step of a pass is smaller where it does not divide", Values: framework.PowersOfTwo(2, 64)},
			{Name: "SPLIT", Doc: "1: exchange real and imaginary parts in turn, in half the shared memory", Values: []int64{0, 1}},
			{Name: "B", Doc: "least number of blocks per multiprocessor that must have registers", Values: []int64{1, 2, 3, 4, 8, 16}},
			{Name: "AHEAD", Doc: "1: blocks stay, and fetch the next transform (N = S, or N = 2·S up to P³) while computing this one; 2: from the second of three steps on (N = S)", Values: []int64{0, 1, 2}},
			{Name: "CHUNK", Doc: "elements of the transforms that go through both passes of one kernel together, through the L2 cache; 0: a kernel a pass", Values: append([]int64{0}, framework.PowersOfTwo(1<<16, 1<<22)...)},
			{Name: "CLUSTER", Doc: "blocks of a cluster of 8192 elements each (P = 32, r = 16) that take a transform together (N = 8192·CLUSTER), or in longer ones 16 columns of the first of two passes; with S = 8192, P = 32 and r = 16 of both; 0: none", Values: append([]int64{0}, framework.PowersOfTwo(2, 16)...)},
			{Name: "FETCH", Doc: "copies of the next transform that a thread issues at once, with AHEAD", Values: []int64{0, 1, 2, 4, 8, 16}},
			{Name: "LAG", Doc: "chunks that the first pass is ahead of the second, with CHUNK", Values: []int64{0, 1, 2, 3, 5, 10, 16, 20}},
		},
		Defaults:    stockhamDefaults,
		Valid:       stockhamValid,
		Supports:    doubles,
		DeviceBytes: stockhamDeviceBytes,
		HostBytes:   hostBytesGPU,
		New:         framework.Typed(newStockham),
	}
}

func tunables(s, p, l, r, split, b int64) framework.Values {
	return framework.Values{
		"S": framework.IntValue(s), "P": framework.IntValue(p), "L": framework.IntValue(l),
		"r": framework.IntValue(r), "SPLIT": framework.IntValue(split), "B": framework.IntValue(b),
		"AHEAD": framework.IntValue(0), "FETCH": framework.IntValue(0), "CHUNK": framework.IntValue(0), "LAG": framework.IntValue(0),
		"CLUSTER": framework.IntValue(0),
	}
}

// ahead are tunables of blocks that stay.
func ahead(s, p, r, split, b int64) framework.Values {
	v := tunables(s, p, s/p, r, split, b)
	v["AHEAD"], v["FETCH"] = framework.IntValue(1), framework.IntValue(2)
	return v
}

// aheadWide are ahead's, fetching from the second step on.
func aheadWide(s, p, r, split, b int64) framework.Values {
	v := ahead(s, p, r, split, b)
	v["AHEAD"] = framework.IntValue(2)
	return v
}

// chunked are tunables of both passes in one kernel.
func chunked(s, p, r, split, b, chunk, lag int64) framework.Values {
	v := tunables(s, p, s/p, r, split, b)
	v["CHUNK"], v["LAG"] = framework.IntValue(chunk), framework.IntValue(lag)
	return v
}

// inCluster are tunables of blocks that transform together.
func inCluster(blocks int64) framework.Values {
	v := tunables(clusterElements, clusterPoints, clusterThreads, clusterRadix, 0, 2)
	v["CLUSTER"] = framework.IntValue(blocks)
	return v
}

// inColumns are tunables of a first pass by clusters of so many blocks; the
// others are those of the second.
func inColumns(blocks, s, p, r, split, b int64) framework.Values {
	v := tunables(s, p, s/p, r, split, b)
	v["CLUSTER"] = framework.IntValue(blocks)
	return v
}

// stockhamDefaults are the literature's analytical values where a block has
// no more shared memory than a Jetson's 48 KiB, and measured ones
// (algorithms/fft/README.md) elsewhere.
func stockhamDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	n := params.Int("N")
	double := params.Text("precision") == "f64"
	if facts.OpenCL != nil {
		return defaultsCL(params, facts)
	}
	if facts.Embedded() {
		switch {
		case n <= 256:
			return tunables(256, 4, 64, 4, 1, 1)
		case n <= 2048 || n <= 4096 && !double:
			return tunables(n, 4, n/4, 4, 1, 1)
		}
		return severalDefaults(params, facts)
	}
	wide := facts.SharedOptIn >= 72<<10 // room for 16384 padded elements' parts
	switch {
	case double:
		return stockhamDouble(n, wide)
	case n <= 512:
		return tunables(512, 8, 64, 8, 0, 16)
	case n <= 4096:
		return tunables(n, 16, n/16, 16, 1, 16384/n)
	case n <= 8192 && wide:
		return tunables(n, 32, n/32, 32, 0, 2)
	case n <= 8192:
		return tunables(n, 32, n/32, 32, 1, 2)
	case n <= 1<<15 && large(facts):
		if n == 1<<14 {
			return aheadWide(1<<14, 32, 32, 1, 1)
		}
		return ahead(1<<14, 32, 32, 1, 1)
	case n <= 1<<14:
		return tunables(4096, 16, 256, 16, 1, 4)
	case (n == 1<<16 || n == 1<<17) && clusters(facts):
		return inCluster(n / clusterElements)
	case n == 1<<16 && large(facts):
		return chunked(4096, 16, 16, 0, 4, n, 16)
	case n <= 1<<18 && large(facts):
		return chunked(8192, 32, 32, 0, 2, n, 10<<17/n)
	case n <= 1<<18 || !wide:
		return tunables(8192, 16, 512, 16, 1, 2)
	case n <= 1<<20:
		return tunables(16384, 32, 512, 32, 1, 1)
	case n <= 1<<21 && clusters(facts):
		return inColumns(4, 16384, 32, 32, 1, 1)
	case n <= 1<<22 && clusters(facts):
		return inColumns(8, 16384, 32, 32, 1, 1)
	case clusters(facts):
		return inColumns(8, clusterElements, clusterPoints, clusterRadix, 0, 2)
	case n <= 1<<21:
		return tunables(8192, 64, 128, 64, 1, 3)
	}
	return tunables(16384, 64, 256, 64, 1, 1)
}

// stockhamDouble are the defaults in double precision.
func stockhamDouble(n int64, wide bool) framework.Values {
	switch {
	case n <= 256:
		return tunables(256, 4, 64, 4, 0, 16)
	case n <= 512:
		return tunables(512, 8, 64, 8, 0, 16)
	case n <= 4096 && wide:
		return tunables(n, 16, n/16, 16, 0, 8192/n)
	case n <= 4096:
		return tunables(n, 8, n/8, 8, 1, 1)
	case n == 8192 && wide:
		return tunables(8192, 32, 256, 32, 1, 1)
	case n <= 1<<15 && wide:
		return tunables(2048, 16, 128, 16, 0, 4)
	case n == 1<<22 && wide:
		return tunables(8192, 16, 512, 16, 1, 1)
	}
	return tunables(4096, 16, 256, 16, 1, 2)
}

// large devices have the shared memory for one transform beside the next and
// the L2 cache for chunks of both passes.
func large(f gpu.Facts) bool {
	return f.ComputeMajor >= 8 && f.SharedOptIn >= 200<<10 && f.L2Bytes >= 40<<20
}

// stage is one kernel of a plan; a plan's stages run one after another.
type stage interface {
	source(inverse bool) gpu.Source
	// tables are the kernel's arguments after input and output.
	tables() [][]complex128
	// count is the kernel's last argument.
	count(transforms int) any
	sharedBytes() int
	// shape asks kernel what the device holds at once if it needs to know.
	shape(transforms int, facts gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error)
	work(transforms int) framework.Work
}

// resident is a stage whose blocks all run at once and wait for each other.
type resident interface {
	// betweenElements lie in an array of its own between its passes: an argument
	// before the tables.
	betweenElements(transforms int) int64
	// counterBytes are zero when the kernel begins: an argument after the tables.
	counterBytes(transforms int) int64
}

// plan is how tunables v transform n elements.
func plan(n int, double bool, v framework.Values) ([]stage, error) {
	s := int(v.Int("S"))
	like, err := tileOf(v, "", double)
	switch {
	case err != nil:
		return nil, err
	case v.Int("CHUNK") < 0 || v.Int("LAG") < 0 || v.Int("AHEAD") < 0 || v.Int("FETCH") < 0:
		return nil, fmt.Errorf("CHUNK = %d, LAG = %d, AHEAD = %d, FETCH = %d: want 0 or more", v.Int("CHUNK"), v.Int("LAG"), v.Int("AHEAD"), v.Int("FETCH"))
	}
	if v.Int("FETCH") != 0 && v.Int("AHEAD") == 0 {
		return nil, fmt.Errorf("FETCH = %d: only with AHEAD", v.Int("FETCH"))
	}
	if v.Int("AHEAD") != 0 {
		whole, err := planStay(n, s, int(v.Int("AHEAD")), int(v.Int("FETCH")), like)
		return []stage{whole}, err
	}
	if c := int(v.Int("CLUSTER")); c != 0 && n > c*clusterElements {
		return planColumns(n, c, s, like)
	} else if c != 0 {
		together, err := planClustered(n, c, like, s)
		return []stage{together}, err
	}
	if c := int(v.Int("CHUNK")); c > 0 {
		both, err := planFused(n, s, c, int(v.Int("LAG")), like)
		return []stage{both}, err
	}
	passes, err := planPasses(n, s, like)
	return stagesOf(passes), err
}

// tileOf is the part of a tile that tunables say: S, P, L and r with this suffix, SPLIT
// and B.
func tileOf(v framework.Values, suffix string, double bool) (tile, error) {
	value := func(name string) int { return int(v.Int(name + suffix)) }
	for _, name := range []string{"S", "P", "L", "r"} {
		if x := value(name); x < 1 || x&(x-1) != 0 {
			return tile{}, fmt.Errorf("%s%s = %d is not a power of two", name, suffix, x)
		}
	}
	s, p, l, r := value("S"), value("P"), value("L"), value("r")
	switch {
	case s != p*l:
		return tile{}, fmt.Errorf("S%[1]s = %[2]d is not P%[1]s·L%[1]s = %[3]d", suffix, s, p*l)
	case r < 2 || r > 64:
		return tile{}, fmt.Errorf("r%s = %d is not 2, 4, 8, 16, 32 or 64", suffix, r)
	case r > p:
		return tile{}, fmt.Errorf("r%[1]s = %[2]d exceeds P%[1]s = %[3]d: a thread holds the points of its butterfly", suffix, r, p)
	case v.Int("SPLIT") < 0 || v.Int("SPLIT") > 1:
		return tile{}, fmt.Errorf("SPLIT = %d: want 0 or 1", v.Int("SPLIT"))
	case v.Int("B") < 1:
		return tile{}, fmt.Errorf("B = %d: want at least 1", v.Int("B"))
	}
	return tile{points: p, radix: r, split: v.Int("SPLIT") != 0, double: double, minBlocks: int(v.Int("B"))}, nil
}

func planOf(params, v framework.Values) ([]stage, error) {
	return plan(int(params.Int("N")), params.Text("precision") == "f64", v)
}

func stockhamValid(params, v framework.Values, facts gpu.Facts) error {
	if facts.OpenCL != nil {
		if err := onlyCUDA(v); err != nil {
			return err
		}
	}
	stages, err := planOf(params, v)
	if err != nil {
		return err
	}
	// createpolicy: "Parallel Thread Execution ISA", Target ISA Notes.
	if v.Int("CHUNK") > 0 && facts.ComputeMajor < 8 {
		return fmt.Errorf("CHUNK = %d needs compute capability 8.0, the device has %d.%d", v.Int("CHUNK"), facts.ComputeMajor, facts.ComputeMinor)
	}
	if v.Int("AHEAD") != 0 && facts.ComputeMajor < 8 {
		return fmt.Errorf("AHEAD = 1 needs compute capability 8.0, the device has %d.%d", facts.ComputeMajor, facts.ComputeMinor)
	}
	if v.Int("CLUSTER") != 0 && !clusters(facts) {
		return fmt.Errorf("CLUSTER = %d needs compute capability 9.0 and NVRTC 12.1, the device has %d.%d and %s",
			v.Int("CLUSTER"), facts.ComputeMajor, facts.ComputeMinor, cmp.Or(facts.CompilerVersion, "no compiler"))
	}
	return roomFor(stages, "", params, v, facts)
}

func stockhamDeviceBytes(params, v framework.Values) int64 {
	stages, err := planOf(params, v)
	if err != nil {
		return 0
	}
	return deviceBytes(stages, params)
}
