package bicubic

import "golang.org/x/sys/cpu"

// combiners lists the vector code that this processor runs, the best first.
func combiners() (list []*combiner) {
	if cpu.X86.HasAVX512F {
		list = append(list, &combiner{name: "AVX-512", lanes: 16, sum: sumAVX512, sumPast: sumPastAVX512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		list = append(list, &combiner{name: "AVX2", lanes: 8, sum: sumAVX2, sumPast: sumPastAVX2})
	}
	return list
}

//go:noescape
func sumAVX512(to, a, b, c, d *float32, n int, weights *[4]float32)

//go:noescape
func sumPastAVX512(to, a, b, c, d *float32, n int, weights *[4]float32)

//go:noescape
func sumAVX2(to, a, b, c, d *float32, n int, weights *[4]float32)

//go:noescape
func sumPastAVX2(to, a, b, c, d *float32, n int, weights *[4]float32)
