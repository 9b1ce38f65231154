package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// cost is of one element: cycles, and instructions.
type cost struct{ cycles, instructions float64 }

func (c cost) plus(d cost) cost { return cost{c.cycles + d.cycles, c.instructions + d.instructions} }

// perElement is a loop's cost by the elements of an iteration.
func (m *model) perElement(l loop, elements int) (cost, error) {
	c, err := m.cycles(l)
	return cost{c / float64(elements), float64(len(l)) / float64(elements)}, err
}

// fftw is FFTW's codelets of one precision. A vector holds the same number of a
// few butterflies.
type fftw struct {
	code  map[string][]instruction
	lanes int
}

// codelets are those without and with twiddle factors, in vectors and (n1, t1, t2)
// scalar: Debian's FFTW has no NEON in double precision.
var (
	leaves  = []string{"n1fv", "n2fv", "n1"}
	twiddle = []string{"t1fv", "t2fv", "t3fv", "t1", "t2"}
)

func (f *fftw) codelet(m *model, kinds []string, radix int) (cost, error) {
	best := cost{cycles: math.Inf(1)}
	for _, kind := range kinds {
		code, ok := f.code[fmt.Sprintf("%s_%d", kind, radix)]
		if !ok {
			continue
		}
		l := longest(code)
		elements := radix
		if strings.HasSuffix(kind, "v") {
			elements *= f.lanes
		}
		c, err := m.perElement(l, elements)
		if err != nil {
			return best, fmt.Errorf("%s_%d: %w", kind, radix, err)
		}
		if c.cycles < best.cycles {
			best = c
		}
	}
	return best, nil
}

// least is the plan of the codelets that costs least: no planner can do better
// with these codelets, if all data are in the first-level cache and the calls
// between codelets cost nothing.
func (f *fftw) least(m *model, n int) (cost, error) {
	best, err := f.codelet(m, leaves, n)
	if err != nil {
		return best, err
	}
	for radix := 2; radix < n && radix <= 64; radix *= 2 {
		step, err := f.codelet(m, twiddle, radix)
		if err != nil {
			return best, err
		}
		if math.IsInf(step.cycles, 1) {
			continue
		}
		rest, err := f.least(m, n/radix)
		if err != nil {
			return best, err
		}
		if c := step.plus(rest); c.cycles < best.cycles {
			best = c
		}
	}
	return best, nil
}

// stockham is our kernels of one precision.
type stockham struct {
	code   map[string][]instruction
	suffix string
	lanes  int
}

// These and the plans are those of algorithms/fft.
const (
	longestWhole  = 512
	longestDirect = 4096
)

// kernel is the cost of an element in a kernel of a loop, or of a loop in a loop
// whose instructions are shared among inner iterations of the inner one.
func (s *stockham) kernel(m *model, name string, elements, inner int) (cost, error) {
	full := "example.org/bench/algorithms/fft." + name + "NEON" + s.suffix + ".abi0"
	list := loops(s.code[full])
	if len(list) == 0 {
		return cost{}, fmt.Errorf("%s: no loop", full)
	}
	c, err := m.perElement(list[0], elements)
	if err == nil && len(list) > 1 {
		var outer cost
		outer, err = m.perElement(list[1], elements)
		c.cycles += (outer.cycles - c.cycles) / float64(inner)
		c.instructions += (outer.instructions - c.instructions) / float64(inner)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", full, err)
	}
	return c, err
}

// passes are a plan's radices but the last, which is 8.
func passes(n int) []int {
	list := []int{}
	for length, radix := n, [3]int{8, 2, 4}[(bits.Len(uint(n))-1)%3]; length > 8; length, radix = length/radix, 8 {
		list = append(list, radix)
	}
	return list
}

// transform is the cost of a whole transform; what stands around its kernels is
// left out, as FFTW's is.
func (s *stockham) transform(m *model, n int) (total cost, err error) {
	add := func(name string, elements, inner int) {
		c, e := s.kernel(m, name, elements, inner)
		if err == nil {
			err = e
		}
		total = total.plus(c)
	}
	column := func(n int, first, last string) {
		length := n
		for i, radix := range passes(n) {
			name := "pass"
			if i == 0 {
				name = first
			}
			length /= radix
			add(fmt.Sprintf("%s%d", name, radix), radix*s.lanes, length)
		}
		add(last, 8*s.lanes, n/8)
	}
	if n <= longestWhole {
		column(n, "gather", "scatter8")
		return total, err
	}
	n1 := 1 << ((bits.Len(uint(n)) - 1) / 2)
	tiles := "tiles"
	if n <= longestDirect {
		tiles = "directTiles"
	}
	column(n1, "load", "last8")
	add(tiles, s.lanes*s.lanes, 1)
	column(n/n1, "pass", "store8")
	return total, err
}
