// Package analytical is the analytical model of "Performance Tuning for
// GPU-Embedded Systems": what occupies a multiprocessor, the guideline that
// chooses by it, and descriptions of GPUs that need not be there.
package analytical

import (
	"math"
	"math/bits"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
)

// prefixModel are the constants of one of the literature's kernels. Registers
// are those that "Performance Tuning for GPU-Embedded Systems" states (section V
// and Fig. 3 a) where it does, and else grow by the same per element.
type prefixModel struct {
	elements     []int // per thread, that its kernels are written for
	registers    func(elements int) int
	elementBytes int  // in shared memory
	mostElements int  // in shared memory per block; 0: 32 a problem, as its scan has
	shuffle      bool // where a problem fits a warp
	radix        bool // can be chosen, and is then the elements per thread
}

// systems: an equation has 4 coefficients; P = 2 stays below 32 registers. P =
// 4 of CR has 63 % of the warps and 20 blocks, which is 48 registers. An element
// of LF is two equations, of which a thread holds few.
var (
	systemModel = prefixModel{[]int{2, 4, 8}, func(p int) int { return 16 + 8*p }, 16, 2048, true, false}
	pairModel   = prefixModel{[]int{2, 4}, func(p int) int { return 16 + 8*p }, 32, 2048, true, false}
	mergeModel  = prefixModel{[]int{2, 4, 8}, func(p int) int { return 8 + 8*p }, 16, 2048, true, true}
	scanModel   = prefixModel{[]int{2, 4, 8, 16, 32}, func(p int) int { return 8 + 6*p }, 4, 0, false, false}
	fftModel    = prefixModel{[]int{2, 4, 8, 16}, func(p int) int { return 8 + 8*p }, 8, 4096, false, true}
	// largeModel is a kernel of several that share a transform: 75 % of the
	// warps at 8 points per thread are 40 registers and 8 KiB, real and imaginary
	// parts in turn.
	largeModel = prefixModel{[]int{2, 4, 8, 16}, func(p int) int { return 8 + 4*p }, 4, 2048, false, true}
)

var prefixModels = map[string]prefixModel{
	"tridiagonal cr": systemModel, "tridiagonal pcr": systemModel, "tridiagonal lf": pairModel, "tridiagonal wm": mergeModel,
	"scan lf": scanModel, "scan ks": scanModel, "fft stockham": fftModel, "fft multi": fftModel,
}

// Setting is the analytical model's choice for one problem size.
type Setting struct {
	S         int                 // elements in a block's shared memory
	P         int                 // elements per thread
	L         int                 `unit:"threads"`     // in a block
	Radix     int                 `json:"r,omitempty"` // radix, where it can be chosen
	Shuffle   bool                `json:"SHUFFLE"`     // true: shuffles instead of shared memory
	Kernels   int                 `json:"kernels"`     // launches
	Occupancy occupancy.Occupancy `json:"occupancy"`   // of a multiprocessor
}

// SettingOf chooses (S, P, L, r, shuffle) for a version of the
// literature at N elements, with the literature's constants. ok is false where
// it says nothing of the version or no setting fits the device.
func SettingOf(f gpu.Facts, algorithm, version string, n int) (s Setting, ok bool) {
	m, known := prefixModels[algorithm+" "+version]
	if !known || n < 4 || n&(n-1) != 0 {
		return s, false
	}
	if algorithm == "fft" && n > m.mostElements {
		return largeSetting(f, n)
	}
	if version == "multi" { // for what is beyond one block
		return s, false
	}
	return m.setting(f, n)
}

func (m prefixModel) setting(f gpu.Facts, n int) (Setting, bool) {
	var list []Candidate
	var settings []Setting
	for _, p := range m.elements {
		threads := n / p // of a problem
		if threads < 1 {
			continue
		}
		for l := f.WarpSize; l <= f.MaxThreadsBlock; l *= 2 {
			registers := m.bounded(f, p, l)
			if l < threads || registers == 0 {
				continue
			}
			for _, shuffle := range []bool{false, true} {
				c := Candidate{Elements: p, Threads: l, Shuffle: shuffle, Registers: registers}
				s := Setting{P: p, L: l, Shuffle: shuffle, Kernels: 1}
				if m.radix {
					c.Radix, s.Radix = p, p
				}
				switch {
				case shuffle && (!m.shuffle || threads > f.WarpSize):
					continue
				case shuffle:
				case m.mostElements == 0:
					s.S = f.WarpSize * l / threads
				default:
					s.S = p * l
				}
				if m.mostElements > 0 && s.S > m.mostElements {
					continue
				}
				c.SharedBytes = m.sharedBytes(s.S)
				list, settings = append(list, c), append(settings, s)
			}
		}
	}
	i, o := Choose(f, list)
	if i < 0 {
		return Setting{}, false
	}
	settings[i].Occupancy = o
	return settings[i], true
}

// bounded are the registers that a compiler told of the block's size leaves a
// thread. It saves a fifth at most; 0 where that is not enough.
func (m prefixModel) bounded(f gpu.Facts, elements, threads int) int {
	const saved = 0.8
	want := m.registers(elements)
	have := f.RegistersBlock / threads / 8 * 8
	if float64(have) < saved*float64(want) {
		return 0
	}
	return min(want, have)
}

// sharedBytes: an FFT that would take more than 16 KiB exchanges real and
// imaginary parts in turn (section V-C).
func (m prefixModel) sharedBytes(elements int) int {
	b := elements * m.elementBytes
	if m.elementBytes == 8 && b > 16<<10 {
		b /= 2
	}
	return b
}

// largeSetting: a transform beyond one block takes the fewest kernels, each of
// whole steps of the radix (section IV-C).
func largeSetting(f gpu.Facts, n int) (Setting, bool) {
	s, ok := largeModel.setting(f, largeModel.mostElements)
	if !ok {
		return s, false
	}
	step := bits.Len(uint(s.Radix)) - 1 // bits that a step of the radix resolves
	stepsAKernel := (bits.Len(uint(s.S)) - 1) / step
	steps := math.Ceil(float64(bits.Len(uint(n))-1) / float64(step))
	s.Kernels = int(math.Ceil(steps / float64(stepsAKernel)))
	return s, true
}

// Tunables are SettingOf as tunables that the version accepts; what
// the model says nothing of keeps its default.
func Tunables(f gpu.Facts, algorithm string, version *framework.Version, params framework.Values) (framework.Values, bool) {
	s, ok := SettingOf(f, algorithm, version.Name, int(params.Int("N")))
	if !ok {
		return nil, false
	}
	v := framework.Values{}
	if version.Defaults != nil {
		v = version.Defaults(params, f).Clone()
	}
	shuffle := int64(0)
	if s.Shuffle {
		shuffle = 1
	}
	for name, x := range map[string]int64{"S": int64(s.S), "P": int64(s.P), "L": int64(s.L), "r": int64(s.Radix), "SHUFFLE": shuffle} {
		if name == "r" && x == 0 {
			continue
		}
		if _, has := v[name]; has {
			v[name] = framework.IntValue(x)
		}
		for i := 1; i <= s.Kernels; i++ { // of a version whose kernels have their own
			if own := name + strconv.Itoa(i); v[own].IsSet() {
				v[own] = framework.IntValue(x)
			}
		}
	}
	if version.Valid != nil && version.Valid(params, v, f) != nil {
		return nil, false
	}
	return v, true
}
