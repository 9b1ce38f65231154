package fft

import (
	"fmt"
	"syscall"
	"testing"
)

// What checking costs by element, in time of a CPU that others may share: the identity, once for each answer and once for
// the inputs of all versions, and the reference.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{64, 1024, 1 << 16, 1 << 20, 1 << 23} {
		p := testProblem(b, n, 1<<24/n, "f32", "forward")
		out := narrow(p)
		each := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/N=%d", name, n), func(b *testing.B) {
				var before, after syscall.Rusage
				syscall.Getrusage(syscall.RUSAGE_SELF, &before)
				for b.Loop() {
					f()
				}
				syscall.Getrusage(syscall.RUSAGE_SELF, &after)
				b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/float64(b.N*len(out)), "CPU-ns/element")
			})
		}
		each("answer", func() { examineAll(p, out) })
		each("inputs", func() { newIdentity(p, p.in32) })
		each("reference", func() {
			wide := make([]complex128, len(out))
			copyWide(wide, p.in32)
			transformBatch(1, wide, p.N, false)
			c := newComparison[complex64](p.N, wide, 1)
			c.take(0, out)
			c.checks(p.bound())
		})
	}
}

func examineAll(p *problem, out []complex64) {
	e := examine[complex64](p)
	e.take(0, out)
	e.checks()
}
