package opencl

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

// Of each device here, what its time stamps show of kernels of 100 steps in 64 to 640,000 work-items, and the host's clock of the same
// runs: from before they are queued until they have ended, less what an empty kernel takes so. The table is that of
// results/epyc-opencl, printed with -v; what is tested is that a device whose stamps are believed has stamps for
// every run, and that these take no longer than the host's clock shows.
func TestStampsAndHost(t *testing.T) {
	all, err := opencl.All()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 31
	for i, f := range all {
		d, err := opencl.Open(opencl.ID(i))
		if err != nil {
			t.Fatal(err)
		}
		timer, err := measure.NewOpenCLTimer(d, config.DefaultMeasure())
		if err != nil {
			t.Fatal(err)
		}
		said := timer.Timing()
		fmt.Fprintf(os.Stderr, "%s, %s %s: %s\n", f.Name, f.OpenCL.Platform, f.DriverVersion, said)
		m, err := d.Compile(gpu.Source{Name: "pass.cl", Text: "__kernel void none(__global uint *out) {}\n__kernel void pass(__global uint *out, uint steps) { uint x = steps; for (uint i = 0; i < steps; i++) x = x * 1664525u + 1013904223u + i; out[get_global_id(0)] = x; }"})
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("pass")
		if err != nil {
			t.Fatal(err)
		}
		out, err := d.Alloc(4 * 64 * 10_000)
		if err != nil {
			t.Fatal(err)
		}
		both := func(groups int) (stamps, host []float64) {
			for range runs {
				s := d.Record()
				begin := time.Now()
				if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: groups}, Block: gpu.Dim3{X: 64}}, out, uint32(100)); err != nil {
					t.Fatal(err)
				}
				s.End()
				if err := d.Synchronize(0); err != nil {
					t.Fatal(err)
				}
				host = append(host, time.Since(begin).Seconds())
				x, err := s.Stamps()
				if err != nil {
					t.Fatal(err)
				}
				stamps = append(stamps, float64(int64(x.End-x.Start))*1e-9)
				if err := s.Release(); err != nil {
					t.Fatal(err)
				}
			}
			return stamps, host
		}
		both(1)
		none, err := m.Kernel("none")
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for range runs {
			begin := time.Now()
			if err := none.Launch(0, gpu.Launch{}, out); err != nil {
				t.Fatal(err)
			}
			if err := d.Synchronize(0); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(begin).Seconds())
		}
		fmt.Fprintf(os.Stderr, "  %-10s %12s %12s %12s %12s\n", "groups", "stamps, s", "host, s", "less empty", "stamps/host")
		for groups := 1; groups <= 10_000; groups *= 10 {
			stamps, host := both(groups)
			s, h := stats.Median(stamps), stats.Median(host)
			fmt.Fprintf(os.Stderr, "  %-10d %12.4g %12.4g %12.4g %12.4g\n", groups, s, h, h-least, s/(h-least))
			if timer.TimerRate > 0 && said[:6] == "events" && (slices.Min(stamps) <= 0 || s > h) {
				t.Errorf("%s: %d groups take %v s by stamps, and %v s by the host's clock", f.Name, groups, s, h)
			}
		}
		for _, close := range []func() error{func() error { return d.Free(out) }, m.Unload, timer.Close, d.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	}
}
