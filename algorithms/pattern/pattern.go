// Package pattern measures the search of a library of patterns for the one
// that matches a signal best, over shifts and gains.
//
// Conventions: a[n], n = 0 … N-1, is the signal, w[n] ≥ 0 its weights, which
// add up to 1, and v[g] the G gains. Pattern k is a template of N+S-1
// elements, so that each of the S shifts sees elements of it: shift index j
// compares a[n] with t[k][n+j], and means the shift s = j - S/2 rounded
// down, from -S/2 to S/2. The error of a pattern at a shift is
// Σ w[n]·(a[n] - t[k][n+j])², and at that shift with a gain
// Σ w[n]·(a[n] - t[k][n+j]·v[g])². Each pattern takes the shift with the least
// error and then, at that shift, the gain with the least; the pattern whose
// error is then the least is the match. Of equal errors the lowest index wins.
package pattern

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

// literature is the title of the report behind v0 to v4.
const literature = "Frisberg, Geirsson, Urpi Hedbjörk, Auto-testing efficiency of signal processing algorithms on embedded GPUs (2019)"

// Defaults are those of the literature, and its third sweep value for K.
const (
	defaultK    = 3000
	defaultKGPU = 100_000
	defaultN    = 32
	defaultS    = 101
	defaultG    = 50
)

// maxPlaces is how many combinations of pattern, shift and gain a key can distinguish (kernels/match.cuh).
const maxPlaces = 1 << 33

// Factory describes the algorithm.
func Factory() *framework.Factory {
	count := func(name, doc string, value, most int64) framework.Param {
		return framework.Param{Name: name, Doc: doc, Kind: framework.Int,
			Default: framework.IntValue(value), Min: 1, Max: float64(most)}
	}
	k := count("K", "patterns", defaultK, 1<<22)
	k.DefaultGPU = framework.IntValue(defaultKGPU)
	return &framework.Factory{
		Name:   "pattern",
		Doc:    "best match of a signal in a library of patterns, over shifts and gains",
		Source: literature,
		Params: []framework.Param{
			k,
			count("N", "elements compared at one shift", defaultN, 1024),
			count("S", "shifts; a pattern has N+S-1 elements", defaultS, 4096),
			count("G", "gains", defaultG, 1024),
		},
		Check: check,
		Inputs: framework.OnlyInputs("no pattern has the least error then",
			framework.ZeroInputs, framework.ConstantInputs, framework.SortedInputs, framework.HugeInputs, framework.TinyInputs),
		Items: "patterns",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "K·(S·(4·N-1) + G·(5·N-1)): a term of an error is a subtraction, two products and, with a gain, a third; terms are added"},
			{Name: "nominal_bytes", Text: "4·(K·(N+S-1) + 2·N + G) + 16"},
		},
		Versions:   withMemory(append(cpuVersions(), gpuVersions()...)),
		NewProblem: newProblem,
		HostBytes:  hostBytes,

		Verification: verification,
	}
}

func check(p framework.Values) error {
	s := shapeOf(p)
	if s.K < 1 || s.N < 1 || s.S < 1 || s.G < 1 {
		return fmt.Errorf("K = %d, N = %d, S = %d, G = %d: want at least 1 of each", s.K, s.N, s.S, s.G)
	}
	if n := s.places(); n > maxPlaces {
		return fmt.Errorf("K·S·G = %s; want at most 2^33 = %d", terminal.Count(n, "combination"), int64(maxPlaces))
	}
	return nil
}

// shape is the size of a problem.
type shape struct{ K, N, S, G int }

func shapeOf(p framework.Values) shape {
	return shape{int(p.Int("K")), int(p.Int("N")), int(p.Int("S")), int(p.Int("G"))}
}

// length returns the length of a pattern's template.
func (s shape) length() int { return s.N + s.S - 1 }

// places returns how many combinations of pattern, shift and gain there are.
func (s shape) places() int64 { return int64(s.K) * int64(s.S) * int64(s.G) }

// inputBytes returns the bytes of all templates, the signal, its weights and the gains.
func (s shape) inputBytes() int64 {
	return 4 * (int64(s.K)*int64(s.length()) + 2*int64(s.N) + int64(s.G))
}

// resultBytes is the size of a match: pattern, shift, gain and error.
const resultBytes = 16

// Nominal returns the Work by the problem's definition, which is the same for every version.
func (s shape) Nominal() framework.Work {
	n := int64(s.N)
	return framework.Work{
		NominalFLOPs: int64(s.K) * (int64(s.S)*(4*n-1) + int64(s.G)*(5*n-1)),
		NominalBytes: s.inputBytes() + resultBytes,
		Items:        int64(s.K),
	}
}

// hostBytes returns the bytes of the inputs and of what the reference keeps of every pattern.
func hostBytes(p framework.Values) int64 {
	s := shapeOf(p)
	return s.inputBytes() + 32*int64(s.K)
}

// match is the answer.
type match struct {
	pattern, shift, gain int32 // indices; the shift in elements is shift - S/2
	squared              float32
}
