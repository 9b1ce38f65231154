package pattern

import (
	"testing"
)

// BenchmarkVectorCode is one thread's time for 1000 patterns of the defaults.
func BenchmarkVectorCode(b *testing.B) {
	p := makeProblem(shape{1000, defaultN, defaultS, defaultG}, 1)
	for _, k := range append(vectorKernels(), nil) {
		name := "Go"
		if k != nil {
			name = k.name
		}
		b.Run(name, func(b *testing.B) {
			a := &parallel{p: p, k: k, group: groupKiB << 10}
			a.prepare(1)
			for b.Loop() {
				if err := a.Run(); err != nil {
					b.Fatal(err)
				}
			}
			if err := a.PostRun(); err != nil {
				b.Error(err)
			}
		})
	}
}
