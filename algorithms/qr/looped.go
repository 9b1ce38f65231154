package qr

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed kernels/looped.cu
var loopedText string

// loopedVersion is one of the literature's versions for any shape.
func loopedVersion(name string, version int, doc string) framework.Version {
	return framework.Version{
		Name:      name,
		Doc:       "modified Gram-Schmidt: " + doc,
		Source:    literature + ", table 1",
		Processor: framework.GPU,
		Portable:  true,
		Tunables:  []framework.Tunable{{Name: "THREADS", Doc: "threads per block", Values: []int64{64, 128, 256, 512, 1024}}},
		Defaults: func(params framework.Values, facts gpu.Facts) framework.Values {
			threads := 64
			for threads < 256 && threads < int(params.Int("m")) {
				threads *= 2
			}
			if version == 3 { // two columns of at most 64 rows per thread
				for threads < 1024 && threads*loopedMaxRows < int(params.Int("m")) {
					threads *= 2
				}
			}
			for facts.OpenCL != nil && threads > max(32, facts.MaxThreadsBlock) {
				threads /= 2
			}
			return framework.IntValues("THREADS", threads)
		},
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			if err := powerIn(v, "THREADS", 32, facts.MaxThreadsBlock); err != nil {
				return err
			}
			if rows := (shapeOf(params).M + int(v.Int("THREADS")) - 1) / int(v.Int("THREADS")); version == 3 && rows > loopedMaxRows {
				return fmt.Errorf("THREADS = %d leaves %s to a thread; registers hold %d", v.Int("THREADS"), terminal.Count(rows, "row"), loopedMaxRows)
			}
			return nil
		},
		Supports: func(params framework.Values, facts gpu.Facts) error {
			s := shapeOf(params)
			switch {
			case s.Batch > 65535:
				return fmt.Errorf("batch = %d; a grid holds 65535", s.Batch)
			case version == 2 && s.size()*(2*s.M+1024) > facts.SharedOptIn:
				return fmt.Errorf("m = %d: two columns take %d bytes of shared memory and sums up to %d; the device has %d", s.M, s.size()*2*s.M, s.size()*1024, facts.SharedOptIn)
			}
			if most := loopedMaxRows * facts.MaxThreadsBlock; version == 3 && facts.OpenCL != nil && s.M > most {
				return fmt.Errorf("m = %d: the registers of a work-group hold %d rows of two columns", s.M, most)
			}
			return doubles(s, facts)
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return s.bytes() + scratchBytes(s, version, int(v.Int("THREADS")))
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*looped, error) {
			return &looped{gpuData: newData(env, p), version: version, threads: int(v.Int("THREADS"))}, nil
		}),
	}
}

// loopedMaxRows is how many rows of two columns a thread holds in registers.
const loopedMaxRows = 16

// scratchBytes is what version 1 sums in: THREADS elements for every block of
// project.
func scratchBytes(s shape, version, threads int) int64 {
	if version != 1 {
		return 0
	}
	return s.size64() * int64(threads) * int64(s.Batch) * int64(s.cols())
}

// looped is version v1, v2 or v3 at one point.
type looped struct {
	gpuData
	version, threads int
	scratch          gpu.Pointer

	prepare, normalise, project gpu.Kernel
}

func (g *looped) PreRun() (err error) {
	rows := (g.p.M + g.threads - 1) / g.threads
	if g.version != 3 {
		rows = 1
	}
	if err := g.allocate(); err != nil {
		return err
	}
	g.scratch = g.r // no kernel but version 1's uses it
	if n := scratchBytes(g.p.shape, g.version, g.threads); n > 0 {
		if g.scratch, err = g.Alloc(n); err != nil {
			return err
		}
	}
	kernels, err := g.Kernels(gpu.Source{
		Name: "looped.cu", Text: loopedText, Headers: headers(nil), Kernels: []string{"prepare", "normalise", "project"},
		Defines: g.p.defines(gpu.Defines("VERSION", g.version, "THREADS", g.threads, "ROWS", rows)),
	})
	if err != nil {
		return err
	}
	g.prepare, g.normalise, g.project = kernels[0], kernels[1], kernels[2]
	return nil
}

// pass is one sweep of the two kernels: columns from first on are projected.
type pass struct{ first, keep int }

// passes are one, and for columns that only fill Q up a second: they are
// orthogonalised twice, since nothing bounds their condition.
func (s shape) passes() []pass {
	if s.cols() == s.N {
		return []pass{{0, 1}}
	}
	return []pass{{0, 1}, {s.N, 0}}
}

func (g *looped) Run() error {
	s, stream := g.p.shape, g.Env.Stream
	m, n, cols := int32(s.M), int32(s.N), int32(s.cols())
	shape := func(x, y, columns int) gpu.Launch {
		l := gpu.Launch{Grid: gpu.Dim3{X: x, Y: y}, Block: gpu.Dim3{X: g.threads}}
		if g.version == 2 {
			l.SharedBytes = s.size() * s.M * columns
		}
		return l
	}
	if err := g.prepare.Launch(stream, shape(s.cols(), s.Batch, 0), g.a, g.q, g.r, m, n, cols); err != nil {
		return err
	}
	for _, pass := range s.passes() {
		for k := range s.cols() {
			keep := int32(0)
			if k < s.N {
				keep = int32(pass.keep)
			}
			if k >= pass.first {
				if err := g.normalise.Launch(stream, shape(s.Batch, 1, 1), g.q, g.r, g.scratch, m, n, cols, int32(k), keep); err != nil {
					return err
				}
			}
			first := max(k+1, pass.first)
			if first == s.cols() {
				continue
			}
			err := g.project.Launch(stream, shape(s.cols()-first, s.Batch, 2), g.q, g.r, g.scratch, m, n, cols, int32(k), int32(first), keep)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *looped) Verify() ([]framework.Check, error) { return g.verify(gramSchmidt) }

func (g *looped) VerifyFast() ([]framework.Check, error) { return g.verifyFast(gramSchmidt) }
