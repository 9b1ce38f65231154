//go:build linux

// Package faulty is an algorithm for tests, whose versions misbehave in every way that must cost one
// point and no more.
package faulty

import (
	"errors"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// Factory describes the algorithm.
func Factory() *framework.Factory {
	f := &framework.Factory{
		Name: "faulty",
		Doc:  "versions that misbehave",
		Params: []framework.Param{
			{Name: "ms", Doc: "time of one run", Unit: "ms", Kind: framework.Int, Default: framework.IntValue(1), Min: 1, Max: 60000},
			{Name: "host_bytes", Doc: "memory asked for", Unit: "bytes", Kind: framework.Int, Default: framework.IntValue(0), Min: 0, Max: 1 << 60},
		},
		NewProblem: func(_ framework.Env, p framework.Values) (framework.Problem, error) { return &problem{p}, nil },
		HostBytes:  func(p framework.Values) int64 { return p.Int("host_bytes") },
	}
	for _, b := range behaviours {
		f.Versions = append(f.Versions, framework.Version{
			Name: b.name, Doc: b.name, Processor: framework.CPU,
			New: framework.Typed(func(_ framework.Env, p *problem, _ framework.Values) (*algorithm, error) {
				return &algorithm{run: b.run, ms: p.params.Int("ms"), wrong: b.name == "wrong"}, nil
			}),
		})
	}
	f.Versions = append(f.Versions, tuned(), clocked(), traced(), framework.Version{
		Name: "absent", Doc: "a library that is not there", Processor: framework.CPU, Peer: true,
		Available: func() error { return errors.New("libabsent.so is not installed") },
	}, framework.Version{
		Name: "unsupported", Doc: "supports no size", Processor: framework.CPU,
		Supports: func(framework.Values, gpu.Facts) error { return errors.New("no size is supported") },
	})
	return f
}

var behaviours = []struct {
	name string
	run  func(ms int64) error
}{
	{"good", busy},
	// slower differs from good by what bench ab and compare are to find.
	{"slower", func(ms int64) error { return pause(time.Duration(ms) * 1050 * time.Microsecond) }},
	{"pauses", pauses()},
	{"wrong", busy},
	{"error", func(int64) error { return errors.New("the run gave an error") }},
	{"panic", func(int64) error { panic("the run panicked") }},
	{"exit", func(int64) error { os.Exit(3); return nil }},
	{"hang", hang},
	{"segfault", func(int64) error {
		page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return err
		}
		kept := page[:1:1]
		if err := unix.Munmap(page); err != nil {
			return err
		}
		kept[0] = 1
		return nil
	}},
	{"memory", func(int64) error {
		limit := unix.Rlimit{Cur: 2 << 30, Max: 2 << 30}
		if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
			return err
		}
		for {
			hoard = append(hoard, make([]byte, 64<<20))
		}
	}},
}

var hoard [][]byte

// busy takes ms milliseconds. Where FAULTY_HOLD is set, runs of so many
// milliseconds or more never end, so that an interrupt finds them running.
func busy(ms int64) error {
	if hold, err := strconv.ParseInt(os.Getenv("FAULTY_HOLD"), 10, 64); err == nil && ms >= hold {
		return hang(ms)
	}
	return pause(time.Duration(ms) * time.Millisecond)
}

func hang(int64) error {
	for {
		time.Sleep(time.Hour)
	}
}

// pause takes d without using a processor: the tests run many at once.
func pause(d time.Duration) error {
	time.Sleep(d)
	return nil
}

// pauses is for 5 ms in every thousandth run, and not at all in the others.
func pauses() func(int64) error {
	runs := 0
	return func(int64) error {
		if runs++; runs%1000 != 0 {
			return nil
		}
		return pause(5 * time.Millisecond)
	}
}

type problem struct{ params framework.Values }

func (*problem) Close() {}

type algorithm struct {
	run   func(int64) error
	ms    int64
	wrong bool
}

func (*algorithm) PreRun() error  { return nil }
func (a *algorithm) Run() error   { return a.run(a.ms) }
func (*algorithm) PostRun() error { return nil }
func (*algorithm) Workers() int   { return 1 }
func (*algorithm) Work() framework.Work {
	return framework.Work{NominalFLOPs: 1000, NominalBytes: 1000}
}
func (a *algorithm) Verify() ([]framework.Check, error) {
	c := framework.Check{Metric: "deviation", Error: 0, Bound: 1e-6}
	if a.wrong {
		c.Error = 1
	}
	return []framework.Check{c}, nil
}
