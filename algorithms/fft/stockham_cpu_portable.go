package fft

import (
	"math"
	"unsafe"
)

// The kernels in plain Go, for CPUs without kernels of their own.

// scalar is a real or imaginary part.
type scalar interface{ float32 | float64 }

// portableLanes makes a row of float64 two cache lines; the loops over lanes
// are scalar code, and share the address and twiddle arithmetic.
const portableLanes = 8

// row is one element of each lane, real parts first; in the input and the
// output it is portableLanes adjacent elements.
type row[R scalar] [2 * portableLanes]R

func rowAt[R scalar](base unsafe.Pointer, offset int) *row[R] {
	return (*row[R])(unsafe.Add(base, offset))
}

func rowBytes[R scalar]() int { return int(unsafe.Sizeof(row[R]{})) }

// layout is how a source row lies in memory.
type layout int

const (
	split     layout = iota // as rows of work do
	adjacent                // as elements
	exchanged               // as elements, real and imaginary parts to change places
)

// load gives a source row as real parts and imaginary parts, in scratch where
// it lies otherwise.
func load[R scalar](l layout, scratch, src *row[R]) *row[R] {
	switch l {
	case adjacent:
		for l := range portableLanes {
			scratch[l], scratch[portableLanes+l] = src[2*l], src[2*l+1]
		}
	case exchanged:
		for l := range portableLanes {
			scratch[l], scratch[portableLanes+l] = src[2*l+1], src[2*l]
		}
	default:
		return src
	}
	return scratch
}

// turn is w·src; dst may be src.
func turn[R scalar](dst, src *row[R], w *[2]R) {
	wr, wi := w[0], w[1]
	for l := range portableLanes {
		re, im := src[l], src[portableLanes+l]
		dst[l] = re*wr - im*wi
		dst[portableLanes+l] = re*wi + im*wr
	}
}

// radix4 transforms rows 0 … 3 of a to out.
func radix4[R scalar](out, a *[4]*row[R]) {
	const im = portableLanes
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	o0, o1, o2, o3 := out[0], out[1], out[2], out[3]
	for l := range portableLanes {
		s0r, s0i := a0[l]+a2[l], a0[im+l]+a2[im+l]
		d0r, d0i := a0[l]-a2[l], a0[im+l]-a2[im+l]
		s1r, s1i := a1[l]+a3[l], a1[im+l]+a3[im+l]
		d1r, d1i := a1[l]-a3[l], a1[im+l]-a3[im+l]
		o0[l], o0[im+l] = s0r+s1r, s0i+s1i
		o1[l], o1[im+l] = d0r+d1i, d0i-d1r
		o2[l], o2[im+l] = s0r-s1r, s0i-s1i
		o3[l], o3[im+l] = d0r-d1i, d0i+d1r
	}
}

// join gives outputs k and k+4 of radix 8, sum and difference of output k of
// the even rows and of the odd rows, the latter turned by k eighths.
func join[R scalar](low, high, even, odd *row[R], k int) {
	const im = portableLanes
	half := R(math.Sqrt2 / 2)
	for l := range portableLanes {
		or, oi := odd[l], odd[im+l]
		switch k {
		case 1:
			or, oi = half*(or+oi), half*(oi-or)
		case 2:
			or, oi = oi, -or
		case 3:
			or, oi = half*(oi-or), -half*(or+oi)
		}
		er, ei := even[l], even[im+l]
		low[l], low[im+l] = er+or, ei+oi
		high[l], high[im+l] = er-or, ei-oi
	}
}

// butterfly holds the rows between the two parts of radix 8.
type butterfly[R scalar] struct{ rows [16]row[R] }

// transform8 transforms rows a to out, which may be the same.
func (b *butterfly[R]) transform8(out, a *[8]*row[R]) {
	r := &b.rows
	even, odd := [4]*row[R]{&r[8], &r[9], &r[10], &r[11]}, [4]*row[R]{&r[12], &r[13], &r[14], &r[15]}
	radix4(&even, &[4]*row[R]{a[0], a[2], a[4], a[6]})
	radix4(&odd, &[4]*row[R]{a[1], a[3], a[5], a[7]})
	for k := range even {
		join(out[k], out[k+4], even[k], odd[k], k)
	}
}

func portablePass[R scalar](radix int, from layout) passKernel {
	rows := rowBytes[R]()
	var one [2]R
	pair := int(unsafe.Sizeof(one))
	return func(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer) {
		var b butterfly[R]
		var in, out [8]*row[R]
		for block := range blocks {
			for p := range m {
				for j := range radix {
					in[j] = load(from, &b.rows[j], rowAt[R](src, block*step+(p+j*m)*distance))
					out[j] = rowAt[R](dst, (block*radix*m+p+j*m)*rows)
				}
				switch radix {
				case 2:
					join(out[0], out[1], in[0], in[1], 0)
				case 4:
					radix4((*[4]*row[R])(out[:4]), (*[4]*row[R])(in[:4]))
				default:
					b.transform8(&out, &in)
				}
				w := unsafe.Slice((*[2]R)(unsafe.Add(twiddles, p*(radix-1)*pair)), radix-1)
				for k := range w {
					turn(out[k+1], out[k+1], &w[k])
				}
			}
		}
	}
}

func portableLast8[R scalar](work unsafe.Pointer, blocks int) {
	rows := rowBytes[R]()
	var b butterfly[R]
	var a [8]*row[R]
	for block := range blocks {
		for j := range a {
			a[j] = rowAt[R](work, (8*block+j)*rows)
		}
		b.transform8(&a, &a)
	}
}

func portableStore8[R scalar](exchange bool) func(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int) {
	rows := rowBytes[R]()
	first, second := 0, portableLanes
	if exchange {
		first, second = second, first
	}
	return func(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int) {
		offset := unsafe.Slice(offsets, blocks)
		var b butterfly[R]
		var a [8]*row[R]
		for g := range groups {
			for block, o := range offset {
				for j := range a {
					a[j] = rowAt[R](work, (8*(g*blocks+block)+j)*rows)
				}
				b.transform8(&a, &a)
				for k, v := range a {
					out := rowAt[R](dst, g*rows+int(o)+k*stride)
					for l := range portableLanes {
						out[2*l], out[2*l+1] = v[first+l], v[second+l]
					}
				}
			}
		}
	}
}

func portableTiles[R scalar](dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, _ unsafe.Pointer) {
	size := rowBytes[R]()
	offset := unsafe.Slice(rows, tiles*portableLanes)
	const im = portableLanes
	for t := range tiles {
		all := rowAt[R](u, t*size)
		out := (*[portableLanes]row[R])(unsafe.Add(dst, t*step))
		for i := range portableLanes {
			in, w := rowAt[R](work, int(offset[t*portableLanes+i])), rowAt[R](v, i*size)
			for l := range portableLanes {
				wr, wi := w[l]*all[l]-w[im+l]*all[im+l], w[l]*all[im+l]+w[im+l]*all[l]
				out[l][i] = in[l]*wr - in[im+l]*wi
				out[l][im+i] = in[l]*wi + in[im+l]*wr
			}
		}
	}
}

// portableUnit is the rows of a unit of gather and scatter.
const portableUnit = portableLanes / 2

func portableGather[R scalar](work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int) {
	first, second := portableParts(swapped)
	for l, t := range unsafe.Slice(transforms, portableLanes) {
		for i, x := range unsafe.Slice((*[2]R)(t), units*portableUnit) {
			r := rowAt[R](work, i*rowBytes[R]())
			r[first+l], r[second+l] = x[0], x[1]
		}
	}
}

func portableScatter[R scalar](transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int) {
	first, second := portableParts(swapped)
	offset := unsafe.Slice(rows, units*portableUnit)
	for l, t := range unsafe.Slice(transforms, portableLanes) {
		x := unsafe.Slice((*[2]R)(t), len(offset))
		for i, o := range offset {
			r := rowAt[R](work, int(o))
			x[i] = [2]R{r[first+l], r[second+l]}
		}
	}
}

// portableParts is where real and imaginary parts lie in a row.
func portableParts(swapped int) (first, second int) {
	if swapped != 0 {
		return portableLanes, 0
	}
	return 0, portableLanes
}
