package plan

import (
	"strings"
	"testing"

	"example.org/bench/framework"
)

// TestDefaultsWhereMemoryIsShared: a default for server GPUs is halved until the problem
// is a thirty-second of the memory, and no further than the CPU's; a value that the
// config sets stays, and a point that can never fit is skipped.
func TestDefaultsWhereMemoryIsShared(t *testing.T) {
	const gib = 1 << 30
	f := example()
	f.HostBytes = func(p framework.Values) int64 { return 512 * p.Int("elements") } // 512 MiB by default
	for i := range f.Versions {
		if f.Versions[i].Processor == framework.GPU {
			f.Versions[i].DeviceBytes = func(p, _ framework.Values) int64 { return 256 * p.Int("elements") }
		}
	}
	gpu := func(bytes int64, integrated bool) Machine {
		facts := AnyGPU()
		facts.Name, facts.GlobalBytes, facts.Integrated = "Toy", bytes, integrated
		return Machine{GPU: facts}
	}
	for _, c := range []struct {
		lines    string
		machine  Machine
		elements int64
		said     string
		skipped  bool
	}{
		{`"versions": ["stockham"]`, gpu(4*gib, false), 1 << 20, "", false},
		{`"versions": ["stockham"]`, gpu(16*gib, true), 1 << 20, "", false},
		{`"versions": ["stockham"]`, gpu(16*gib-1, true), 1 << 19, "elements is 524288 by default on Toy, not 1048576: GPU and CPU share 16 GiB", false},
		{`"versions": ["stockham"]`, gpu(4*gib, true), 1 << 18, "elements is 262144 by default on Toy, not 1048576: GPU and CPU share 4 GiB", false},
		{`"versions": ["stockham"]`, gpu(2<<20, true), 1024, "elements is 1024 by default", false},
		{`"versions": ["reference"]`, gpu(4*gib, true), 1024, "", false},
		{`"versions": ["stockham"], "static_args": {"elements": 1048576}`, gpu(4*gib, true), 1 << 20, "", false},
		{`"versions": ["stockham"], "static_args": {"elements": 4194304}`, gpu(4*gib, true), 1 << 22, "", true}, // 4 GiB
	} {
		p, err := Make(t.Context(), load(t, `{"algorithm": "fft", `+c.lines+`}`), f, c.machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Smaller, "; "); !strings.HasPrefix(got, c.said) || (c.said == "") != (got == "") {
			t.Errorf("%s: said %q, want %q", c.lines, got, c.said)
		}
		last := p.Points[len(p.Points)-1]
		if got := last.Params.Int("elements"); got != c.elements {
			t.Errorf("%s: %d elements, want %d", c.lines, got, c.elements)
		}
		const sizes = "of memory (1 GiB for the GPU), and GPU and CPU of Toy share 4 GiB: a smaller problem is needed"
		if (last.Skip != "") != c.skipped || c.skipped && !strings.HasSuffix(last.Skip, sizes) {
			t.Errorf("%s: skipped for %q", c.lines, last.Skip)
		}
	}
}
