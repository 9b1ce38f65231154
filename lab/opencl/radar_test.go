package opencl

import (
	"path/filepath"
	"testing"

	"example.org/bench/algorithms/kernel"
	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
)

// The radar's kernels that are in both languages are right on PoCL: at odd sizes and edges with their defaults, and at another point of their
// tunables.
func TestRadar(t *testing.T) {
	d := open(t)
	other := map[string]framework.Values{
		"cornerturn/tiled":      values("TILE", 16, "TURNS", 4),
		"tdfir/blocked":         values("THREADS", 32, "OUTPUTS", 4),
		"cfar/tiled":            values("VEC", 1, "LANES", 2, "THREADS", 64, "RUN", 8),
		"cfar/streamed":         values("THREADS", 32, "AHEAD", 2, "TURNS", 3),
		"beamform/blocked":      values("BUNDLE", 16, "SPAN", 64, "ROWS", 2, "COLUMNS", 8, "DEPTH", 4, "PAIRED", 0),
		"channelizer/polyphase": values("RUN", 2, "GROUPS", 8, "RESIDENT", 1),
	}
	tried := map[string]bool{}
	for _, name := range []string{"cornerturn", "tdfir", "cfar", "beamform", "channelizer"} {
		cfg, err := config.Load(filepath.Join("../../configs/radar", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := kernel.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.Versions {
			if v.Processor != framework.GPU {
				continue
			}
			if !v.Portable {
				t.Errorf("%s: version %s is in one language", name, v.Name)
			}
			right := 0
			for _, p := range f.Verification("") {
				for _, x := range f.Params {
					if _, given := p[x.Name]; !given {
						p[x.Name] = x.Default
					}
				}
				for _, at := range []framework.Values{v.Defaults(p, d.Facts()), other[name+"/"+v.Name]} {
					if at == nil || v.Valid(p, at, d.Facts()) != nil {
						continue
					}
					checks, _, err := algorithmtest.Try(f, d, v.Name, p, at)
					if err != nil || len(checks) == 0 || !algorithmtest.Good(checks) {
						t.Errorf("%s, %s at %v with %v: %v, %v", name, v.Name, p, at, checks, err)
					}
					right++
				}
			}
			if right < 4 {
				t.Errorf("%s: %s ran at %d points", name, v.Name, right)
			}
			tried[name+"/"+v.Name] = true
		}
	}
	for version := range other {
		if !tried[version] {
			t.Errorf("there is no %s", version)
		}
	}
}
