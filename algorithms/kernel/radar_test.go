package kernel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/test/everyboard"
)

func radar(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../configs/radar/*.json")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list
}

// Every version of the radar's kernels gives the right answer at odd sizes and edges, the GPU's
// in the simulator, where each access to memory is checked. A version that takes whole vectors
// alone may leave one or two problems out, a plain one none.
func TestRadar(t *testing.T) {
	d, err := sim.Open(3, sim.Checks())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, path := range radar(t) {
		f := factory(t, path)
		problems := f.Verification("sim")
		for _, v := range f.Versions {
			on := d
			if v.Processor == framework.CPU {
				on = nil
			}
			left := 0
			for _, p := range problems {
				if p = params(f, p); on != nil && v.Valid(p, v.Defaults(p, d.Facts()), d.Facts()) != nil {
					left++
					continue
				}
				checks, _, err := algorithmtest.Try(f, on, v.Name, p, nil)
				if err != nil || len(checks) == 0 || !algorithmtest.Good(checks) {
					t.Errorf("%s, %s at %v: %v, %v", path, v.Name, p, checks, err)
				}
			}
			if left > 2 || left > 0 && (v.Name == "plain" || len(problems)-left < 3) {
				t.Errorf("%s: %s takes only %d of %d problems", path, v.Name, len(problems)-left, len(problems))
			}
		}
	}
}

// The radar's kernels compile for the newest board, or where every one is wanted for each, at
// every point of their configs: no register is spilled, and shared memory is what any GPU has.
func TestRadarCompiles(t *testing.T) {
	c := compiler(t)
	for _, path := range radar(t) {
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range byRegisters(everyboard.Of(architectures)) {
			gpu := plan.AnyGPU()
			gpu.RegistersBlock = of.registers
			points, err := plan.Make(t.Context(), cfg, factory(t, path), plan.Machine{GPU: gpu})
			if err != nil {
				t.Fatal(err)
			}
			radarCompiles(t, c, built(t, path), points, of.architectures)
		}
	}
}

// boards are architectures that have as many registers for a block.
type boards struct {
	registers     int
	architectures []string
}

// byRegisters groups architectures: both older boards have half of what others have (CUDA C++
// Programming Guide, technical specifications by compute capability).
func byRegisters(all []string) []boards {
	few, many := boards{registers: 32 << 10}, boards{registers: 64 << 10}
	for _, arch := range all {
		of := &many
		if arch == "sm_53" || arch == "sm_62" {
			of = &few
		}
		of.architectures = append(of.architectures, arch)
	}
	return slices.DeleteFunc([]boards{few, many}, func(b boards) bool { return len(b.architectures) == 0 })
}

// radarCompiles compiles every point of a radar's kernels for these architectures.
func radarCompiles(t *testing.T, c *nvrtc.Compiler, a *algorithm, points *plan.Plan, architectures []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, p := range points.Points {
		v := a.versions[slices.IndexFunc(a.versions, func(v *variant) bool { return v.Name == p.Version })]
		if v.C != nil || p.Skip != "" {
			continue
		}
		s, err := v.unit.source(a, v, p.Params, p.Tunables, gpu.Facts{}, v.launches)
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(s.Defines, s.Kernels)
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, arch := range architectures {
			image, err := c.Compile(s, arch)
			if err != nil {
				t.Errorf("%s, %s for %s: %v", a.def.Name, v.Name, arch, err)
				continue
			}
			kernels, err := cubin.Kernels(image.Code)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range s.Kernels {
				k, ok := kernels[cmp.Or(image.Lowered[name], name)]
				if !ok || k.LocalBytes > 0 || k.StaticSharedBytes > 48<<10 {
					t.Errorf("%s for %s: kernel %s of %v: %v, %+v", a.def.Name, arch, name, s.Defines, ok, k)
				}
				t.Logf("%s for %s: %s of %v: %d registers, %d bytes of shared memory", a.def.Name, arch, name, s.Defines, k.Registers, k.StaticSharedBytes)
			}
		}
	}
}
