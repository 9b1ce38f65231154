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

func loadRow[R scalar](dst, src *row[R]) { *dst = *src }

func loadAdjacent[R scalar](dst, src *row[R]) {
	for l := range portableLanes {
		dst[l], dst[portableLanes+l] = src[2*l], src[2*l+1]
	}
}

func loadExchanged[R scalar](dst, src *row[R]) {
	for l := range portableLanes {
		dst[l], dst[portableLanes+l] = src[2*l+1], src[2*l]
	}
}

// turn stores src multiplied by w to dst.
func turn[R scalar](dst, src *row[R], w *[2]R) {
	wr, wi := w[0], w[1]
	for l := range portableLanes {
		re, im := src[l], src[portableLanes+l]
		dst[l] = re*wr - im*wi
		dst[portableLanes+l] = re*wi + im*wr
	}
}

func radix2[R scalar](a0, a1 *row[R]) {
	for i := range a0 {
		a0[i], a1[i] = a0[i]+a1[i], a0[i]-a1[i]
	}
}

func radix4[R scalar](a0, a1, a2, a3 *row[R]) {
	const im = portableLanes
	for l := range portableLanes {
		s0r, s0i := a0[l]+a2[l], a0[im+l]+a2[im+l]
		d0r, d0i := a0[l]-a2[l], a0[im+l]-a2[im+l]
		s1r, s1i := a1[l]+a3[l], a1[im+l]+a3[im+l]
		d1r, d1i := a1[l]-a3[l], a1[im+l]-a3[im+l]
		a0[l], a0[im+l] = s0r+s1r, s0i+s1i
		a1[l], a1[im+l] = d0r+d1i, d0i-d1r
		a2[l], a2[im+l] = s0r-s1r, s0i-s1i
		a3[l], a3[im+l] = d0r-d1i, d0i+d1r
	}
}

// radix8 leaves output k in a[radix8Order[k]].
func radix8[R scalar](a *[8]row[R]) {
	radix4(&a[0], &a[2], &a[4], &a[6])
	radix4(&a[1], &a[3], &a[5], &a[7])
	const im = portableLanes
	half := R(math.Sqrt2 / 2)
	for l := range portableLanes {
		e1r, e1i, t1r, t1i := a[2][l], a[2][im+l], half*(a[3][l]+a[3][im+l]), half*(a[3][im+l]-a[3][l])
		e2r, e2i, t2r, t2i := a[4][l], a[4][im+l], a[5][im+l], -a[5][l]
		e3r, e3i, t3r, t3i := a[6][l], a[6][im+l], half*(a[7][im+l]-a[7][l]), -half*(a[7][l]+a[7][im+l])
		a[2][l], a[2][im+l], a[3][l], a[3][im+l] = e1r+t1r, e1i+t1i, e1r-t1r, e1i-t1i
		a[4][l], a[4][im+l], a[5][l], a[5][im+l] = e2r+t2r, e2i+t2i, e2r-t2r, e2i-t2i
		a[6][l], a[6][im+l], a[7][l], a[7][im+l] = e3r+t3r, e3i+t3i, e3r-t3r, e3i-t3i
	}
	radix2(&a[0], &a[1])
}

var radix8Order = [8]int{0, 2, 4, 6, 1, 3, 5, 7}

func portablePass[R scalar](radix int, load func(dst, src *row[R])) passKernel {
	rows := rowBytes[R]()
	var one [2]R
	pair := int(unsafe.Sizeof(one))
	return func(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer) {
		var a [8]row[R]
		for b := range blocks {
			for p := range m {
				from := b*step + p*distance
				for j := range radix {
					load(&a[j], rowAt[R](src, from+j*m*distance))
				}
				order := radix8Order[:]
				switch radix {
				case 2:
					radix2(&a[0], &a[1])
					order = []int{0, 1}
				case 4:
					radix4(&a[0], &a[1], &a[2], &a[3])
					order = []int{0, 1, 2, 3}
				default:
					radix8(&a)
				}
				to := (b*radix*m + p) * rows
				*rowAt[R](dst, to) = a[0]
				w := unsafe.Add(twiddles, p*(radix-1)*pair)
				for k := 1; k < radix; k++ {
					turn(rowAt[R](dst, to+k*m*rows), &a[order[k]], (*[2]R)(unsafe.Add(w, (k-1)*pair)))
				}
			}
		}
	}
}

func portableLast8[R scalar](work unsafe.Pointer, blocks int) {
	rows := rowBytes[R]()
	var a [8]row[R]
	for b := range blocks {
		block := unsafe.Add(work, 8*b*rows)
		for j := range a {
			a[j] = *rowAt[R](block, j*rows)
		}
		radix8(&a)
		for k := range a {
			*rowAt[R](block, k*rows) = a[radix8Order[k]]
		}
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
		var a [8]row[R]
		for g := range groups {
			for b, o := range offset {
				block := unsafe.Add(work, 8*(g*blocks+b)*rows)
				for j := range a {
					a[j] = *rowAt[R](block, j*rows)
				}
				radix8(&a)
				for k := range a {
					out, v := rowAt[R](dst, g*rows+int(o)+k*stride), &a[radix8Order[k]]
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
