package fft

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed stockham.cl
var stockhamCL string

// sourceCL is the pass in OpenCL C.
func (p pass) sourceCL(inverse bool) gpu.Source {
	s := p.source(inverse)
	var steps strings.Builder
	table, before, radixBefore := 0, 0, 0
	p.steps(func(ns, radix int) {
		if ns == 1 {
			fmt.Fprintf(&steps, "FIRST(%d)", radix)
		} else {
			last := 0
			if ns*radix == p.size {
				last = 1
			}
			fmt.Fprintf(&steps, " NEXT(%d, %d, %d, %d, %d, %d)", radix, ns, before, radixBefore, table, last)
			table += log2(radix) * ns
		}
		before, radixBefore = ns, radix
	})
	s.Name, s.Text, s.Headers = "stockham.cl", stockhamCL, nil
	s.Defines["STEPS"] = steps.String()
	return s
}

// doubles refuses double precision where a device has none.
func doubles(params framework.Values, facts gpu.Facts) error {
	if params.Text("precision") == "f64" && !facts.Doubles() {
		return errors.New("precision f64: the device has none (cl_khr_fp64)")
	}
	return nil
}

// onlyCUDA refuses the tunables of version "stockham" that are CUDA's on a device of OpenCL.
func onlyCUDA(v framework.Values) error {
	for _, name := range []string{"AHEAD", "CHUNK", "CLUSTER", "FETCH", "LAG"} {
		if x := v.Int(name); x != 0 {
			return fmt.Errorf("%s = %d is CUDA's; want 0 on a device of OpenCL", name, x)
		}
	}
	return nil
}

// defaultsCL are the values measured on server GPUs, or the next ones that the device's local memory and work-groups hold.
func defaultsCL(params framework.Values, facts gpu.Facts) framework.Values {
	n, double := params.Int("N"), params.Text("precision") == "f64"
	var list []framework.Values
	add := func(s, p, r, split int64) { list = append(list, tunables(s, p, s/p, r, split, 1)) }
	switch {
	case n <= 256 && double:
		add(256, 4, 4, 0)
	case n <= 512:
		add(512, 8, 8, 0)
	case n <= 4096 && !double:
		add(n, 16, 16, 1)
	case n <= 4096:
		add(n, 8, 8, 1)
	case n == 8192 && !double:
		add(n, 32, 32, 1)
	}
	if !double {
		add(8192, 16, 16, 1)
	}
	for s := min(n, 4096); s >= 256; s /= 2 {
		add(s, 16, 16, 1)
		add(s, 8, 8, 1)
	}
	if n <= 256 {
		add(256, 4, 4, 1)
	}
	for _, v := range list {
		if stages, err := planOf(params, v); err == nil && roomFor(stages, "", params, v, facts) == nil {
			return v
		}
	}
	return list[len(list)-1]
}
