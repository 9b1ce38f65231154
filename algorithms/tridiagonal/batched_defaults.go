package tridiagonal

import (
	"math/bits"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// tunables completes P, L and SHUFFLE by the S that goes with them.
func (m method) tunables(n int, double bool, p, l, radix int, shuffle bool) framework.Values {
	s := shape{method: m, n: n, double: double, P: p, L: l, radix: radix, shuffle: shuffle}
	v := framework.IntValues("S", s.equations(), "P", p, "L", l, "SHUFFLE", 0)
	if shuffle {
		v["SHUFFLE"] = framework.IntValue(1)
	}
	if m.radix {
		v["r"] = framework.IntValue(int64(radix))
	}
	return v
}

// defaults are the literature's analytical values (Tuning methodologies for
// parallel prefix operations on GPU-embedded systems, table of the performance
// parameters of tridiagonal systems) where a block has no more shared memory
// than a Jetson's 48 KiB, and measured ones (algorithms/tridiagonal/README.md) elsewhere.
func (m method) defaults(params framework.Values, facts gpu.Facts) framework.Values {
	n, double := int(params.Int("N")), params.Text("precision") == "f64"
	set := func(p, l, radix int, shuffle bool) framework.Values {
		return m.tunables(n, double, p, max(l, n/p), radix, shuffle)
	}
	if facts.OpenCL != nil { // at most 256 work-items share a system, or what a group may have
		most := 1 << (bits.Len(uint(max(2, min(256, facts.MaxThreadsBlock)))) - 1)
		p, l := 4, 64
		if facts.OpenCL.Type == "GPU" && !facts.Integrated {
			p, l = 8, min(128, most) // a step takes as long for more rows
		}
		return set(min(32, max(p, n/most)), l, 2, false)
	}
	if facts.Embedded() {
		switch {
		case m.name == "wm" && n <= 128:
			return set(4, 64, 4, true)
		case m.name == "wm" && n <= 2048:
			return set(4, 64, 4, false)
		case n <= 64:
			return set(2, 64, 2, true)
		case n <= 128:
			return set(4, 64, 2, true)
		case n <= 1024:
			return set(2, 64, 2, false)
		case n <= 2048:
			return set(4, 64, 2, false)
		}
		// Beyond the literature: 512 threads, because 1024 have too few registers,
		// and shuffles where shared memory holds no more equations.
		if m.blocks {
			return set(max(16, n/512), 64, 2, double)
		}
		return set(max(8, n/512), 64, 2, false)
	}
	p := 4
	for n/p > 32 && p < 8 {
		p *= 2
	}
	if !m.blocks && !double && n == 4096 {
		p = 16 // less to exchange through shared memory
	}
	p = max(p, n/1024)
	return set(p, 128, 2, m.blocks || n/p <= 32)
}
