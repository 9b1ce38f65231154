package bicubic

// combiners lists the vector code. NEON is part of every arm64 processor that Go supports. There are no
// stores that bypass the caches, because caches of arm64 detect that a stream of stores writes whole lines.
func combiners() []*combiner {
	return []*combiner{{name: "NEON", lanes: 4, sum: sumNEON, sumPast: sumNEON}}
}

//go:noescape
func sumNEON(to, a, b, c, d *float32, n int, weights *[4]float32)
