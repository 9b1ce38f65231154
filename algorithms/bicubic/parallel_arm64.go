package bicubic

// combiners lists the vector code: NEON is part of every arm64 processor that Go
// supports. Caches of arm64 see that a stream of stores writes whole lines: there
// are no stores past them.
func combiners() []*combiner {
	return []*combiner{{name: "NEON", lanes: 4, sum: sumNEON, sumPast: sumNEON}}
}

//go:noescape
func sumNEON(to, a, b, c, d *float32, n int, weights *[4]float32)
