package fft

import (
	_ "embed"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"sync"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed stockham.cu
var stockhamSource string

//go:embed stockham.cuh
var stockhamHeader string

//go:embed butterfly.cuh
var butterflyHeader string

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// tile is the share of one block: columns transforms of size elements, as
// struct Tile in stockham.cuh.
type tile struct {
	size, columns int
	points, radix int
	split         bool // exchange real and imaginary parts in turn
	columnIn      bool // neighbouring threads hold neighbouring columns at first
	columnOut     bool // … and at last
	double        bool
	shift, width  int // width elements of padding after every 2^shift
	minBlocks     int // per multiprocessor, that must have registers
}

func (t tile) lanes() int    { return t.size / t.points }
func (t tile) threads() int  { return t.lanes() * t.columns }
func (t tile) elements() int { return t.size * t.columns }

// radixAt is the radix of the step at which ns results lie together.
func (t tile) radixAt(ns int) int { return min(t.radix, t.size/ns) }

// steps calls f for each step, in order.
func (t tile) steps(f func(ns, radix int)) {
	for ns := 1; ns < t.size; ns *= t.radixAt(ns) {
		f(ns, t.radixAt(ns))
	}
}

func (t tile) realBytes() int {
	if t.double {
		return 8
	}
	return 4
}

// wordBytes is what one access to shared memory moves a thread.
func (t tile) wordBytes() int {
	if t.split {
		return t.realBytes()
	}
	return 2 * t.realBytes()
}

// sharedBytes is the dynamic shared memory of a block; a transform of a
// single step exchanges nothing.
func (t tile) sharedBytes() int {
	if t.radix >= t.size {
		return 0
	}
	last := t.elements() - 1
	return (t.pad(last) + 1) * t.wordBytes()
}

func (t tile) pad(a int) int { return a + (a>>t.shift)*t.width }

// place is where element index of a column lies in shared memory.
func (t tile) place(column, index int) int {
	if t.columnIn {
		return t.pad(index*t.columns + column)
	}
	return t.pad(column*t.size + index)
}

// position splits a thread's number into lane and column.
func (t tile) position(thread int, byColumn bool) (lane, column int) {
	if byColumn {
		return thread / t.columns, thread % t.columns
	}
	return thread % t.lanes(), thread / t.lanes()
}

// wavefronts is how many passes the 32 banks of shared memory need for all
// exchanges of one warp. Places are additive over numbers without common
// bits, so every warp and every element of a thread has the conflicts of the
// first. The count ends early at one that is enough.
func (t tile) wavefronts(enough int) int {
	group := min(32, 128/t.wordBytes()) // threads that one wavefront can serve
	wordsEach := t.wordBytes() / 4
	warp := min(32, t.threads())
	count := func(place func(thread int) int) int {
		total := 0
		for first := 0; first < warp; first += group {
			var load [32]int
			for thread := first; thread < min(first+group, warp); thread++ {
				for w := range wordsEach {
					load[(place(thread)*wordsEach+w)%32]++
				}
			}
			most := 0
			for _, n := range load {
				most = max(most, n)
			}
			total += most
		}
		return total
	}
	total := 0
	t.steps(func(ns, radix int) {
		if ns*radix == t.size || total >= enough {
			return
		}
		total += count(func(thread int) int {
			lane, column := t.position(thread, t.columnIn)
			return t.place(column, lane/ns*ns*radix+lane%ns)
		})
		last := ns*radix*t.radixAt(ns*radix) == t.size
		total += count(func(thread int) int {
			lane, column := t.position(thread, t.columnIn)
			if last {
				lane, column = t.position(thread, t.columnOut)
			}
			return t.place(column, lane)
		})
	})
	return total
}

// padded are the tiles that withPadding made, by what they were before: a search asks for
// the same ones thousands of times.
var padded sync.Map

// withPadding is the tile with the padding of fewest bank conflicts, and of
// those the least padding.
func (t tile) withPadding() tile {
	if known, ok := padded.Load(t); ok {
		return known.(tile)
	}
	best := t
	best.shift, best.width = 30, 0
	fewest := best.wavefronts(math.MaxInt)
	for shift := 10; shift >= 2; shift-- {
		for width := 1; width <= 16; width *= 2 {
			c := t
			c.shift, c.width = shift, width
			if n := c.wavefronts(fewest); n < fewest {
				best, fewest = c, n
			}
		}
	}
	padded.Store(t, best)
	return best
}

// stepTable holds the twiddle factors of the tile's steps as Tile::run reads
// them.
func (t tile) stepTable() []complex128 {
	var table []complex128
	t.steps(func(ns, radix int) {
		if ns == 1 {
			return
		}
		table = append(table, powerTable(ns, radix)...)
	})
	return table
}

// powerTable holds the powers 1, 2, 4, … of a step's twiddle factors.
func powerTable(ns, radix int) []complex128 {
	var table []complex128
	for power := 1; power < radix; power *= 2 {
		for k := range ns {
			table = append(table, root(k*power, ns*radix))
		}
	}
	return table
}

// pass is one kernel launch over all transforms.
type pass struct {
	tile
	stride int // columns of one transform
	ns     int // results that lie together before the pass
}

// turnEntries is the most entries of a pass's table of rotations.
const turnEntries = 2048

// fineBits of an angle are left to a polynomial in the kernel.
func (p pass) fineBits() int { return max(0, log2(p.ns*p.size)-log2(turnEntries)) }

func (p pass) turnTable() []complex128 {
	if p.ns == 1 {
		return nil
	}
	table := make([]complex128, p.ns*p.size>>p.fineBits())
	for i := range table {
		table[i] = root(i<<p.fineBits(), p.ns*p.size)
	}
	return table
}

// root is exp(-2πik/n) for 0 ≤ k < n, n a power of two, correct to the last
// place but one: the angle is first brought into [0, π/4].
func root(k, n int) complex128 {
	switch {
	case 2*k >= n:
		return -root(k-n/2, n)
	case 4*k >= n:
		w := root(k-n/4, n)
		return complex(imag(w), -real(w))
	case 8*k > n:
		w := root(n/4-k, n)
		return complex(-imag(w), -real(w))
	}
	s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return complex(c, -s)
}

func (p pass) tables() [][]complex128 { return [][]complex128{p.stepTable(), p.turnTable()} }

// count is the columns of all transforms.
func (p pass) count(transforms int) any { return int64(transforms) * int64(p.stride) }

func (p pass) shape(transforms int, _ gpu.Facts, _ gpu.Kernel) (gpu.Launch, error) {
	return gpu.Launch{
		Grid:        gpu.Dim3{X: p.blocks(transforms)},
		Block:       gpu.Dim3{X: p.threads()},
		SharedBytes: p.sharedBytes(),
	}, nil
}

func (p pass) source(inverse bool) gpu.Source {
	flag := func(b bool) string {
		if b {
			return "1"
		}
		return "0"
	}
	defines := map[string]string{
		"REAL":       "float",
		"INVERSE":    flag(inverse),
		"SIZE":       strconv.Itoa(p.size),
		"COLUMNS":    strconv.Itoa(p.columns),
		"POINTS":     strconv.Itoa(p.points),
		"RADIX":      strconv.Itoa(p.radix),
		"SPLIT":      flag(p.split),
		"STRIDE":     strconv.Itoa(p.stride),
		"NS":         strconv.Itoa(p.ns),
		"FINE_BITS":  strconv.Itoa(p.fineBits()),
		"PAD_SHIFT":  strconv.Itoa(p.shift),
		"PAD_WIDTH":  strconv.Itoa(p.width),
		"THREADS":    strconv.Itoa(p.threads()),
		"MIN_BLOCKS": strconv.Itoa(p.minBlocks),
	}
	if p.double {
		defines["REAL"] = "double"
		defines["DOUBLE"] = "1"
	}
	return gpu.Source{
		Name:    "stockham.cu",
		Text:    stockhamSource,
		Defines: defines,
		Headers: map[string]string{"stockham.cuh": stockhamHeader, "butterfly.cuh": butterflyHeader},
		Kernels: []string{"stockham"},
	}
}

// planPasses divides a transform of n elements into passes of tiles of s
// elements like t.
func planPasses(n, s int, t tile) ([]pass, error) {
	sizes, err := passSizes(n, s, t.double)
	if err != nil {
		return nil, err
	}
	var passes []pass
	ns := 1
	for _, size := range sizes {
		p, err := planPass(n, ns, size, s, t)
		if err != nil {
			return nil, err
		}
		passes = append(passes, p)
		ns *= size
	}
	return passes, nil
}

// passSizes are the elements of a column of each pass by tiles of s elements, whose
// product is n: as few as possible, one if a transform fits a tile, else ⌈log2 n / log2 R⌉
// where a column of R elements leaves room for whole 32-byte sectors of
// neighbouring columns. Sizes are as equal as can be, the larger first.
func passSizes(n, s int, double bool) ([]int, error) {
	if n <= s {
		return []int{n}, nil
	}
	sector := 4
	if double {
		sector = 2
	}
	longest := log2(s / sector)
	if longest < 1 {
		return nil, fmt.Errorf("S = %d is too few elements for several passes", s)
	}
	m := (log2(n) + longest - 1) / longest
	sizes := make([]int, m)
	for i := range sizes {
		sizes[i] = 1 << ((log2(n) + m - 1 - i) / m)
	}
	return sizes, nil
}

// planPass is the pass over columns of size elements of a transform of n, in tiles of
// s elements like t, after passes that left ns results together.
func planPass(n, ns, size, s int, t tile) (pass, error) {
	stride := n / size
	t.size, t.columns = size, s/size
	t.columnIn, t.columnOut = stride > 1, ns > 1
	switch {
	case t.points > size:
		return pass{}, fmt.Errorf("P = %d exceeds the %s of one pass", t.points, terminal.Count(size, "element"))
	case t.columns < 1:
		return pass{}, fmt.Errorf("S = %d has no room for a column of %s", s, terminal.Count(size, "element"))
	case stride > 1 && t.columns > stride:
		return pass{}, fmt.Errorf("S = %d holds %s of %s, but a transform of %d has only %d",
			s, terminal.Count(t.columns, "column"), terminal.Count(size, "element"), n, stride)
	}
	return pass{tile: t.withPadding(), stride: stride, ns: ns}, nil
}
