package plan

import (
	"slices"
	"strings"
	"testing"
)

// TestUsage: parameters of how a version is used are columns and part of a point's key,
// but none of its problem's, and what a version cannot have is skipped.
func TestUsage(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham"], "tunables": {"L": 32},
		"sweep_arg": {"memory": ["device", "mapped"], "rate_hz": [10, "max"]}}`), example(), onGPU)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Points) != 8 {
		t.Fatalf("%d points", len(p.Points))
	}
	keys := map[string]bool{}
	for _, x := range p.Points {
		keys[x.Key()] = true
		if strings.Contains(x.Problem(), "rate_hz") || strings.Contains(x.Problem(), "memory") || len(x.Own()) != 4 {
			t.Errorf("problem %s with %v", x.Problem(), x.Own())
		}
		if want := []string{"rate_hz", "deadline_s", "wait", "memory"}; !slices.Equal(x.Usage, want) || !slices.Equal(x.ParamOrder[4:], want) {
			t.Errorf("%v of %v", x.Usage, x.ParamOrder)
		}
		using := x.Using()
		if using["deadline_s"].String() != "period" || using["wait"].String() != "sleep" {
			t.Errorf("%v", using)
		}
		if skipped := x.Processor == "CPU" && using.Text("memory") == "mapped"; skipped != (x.Skip == "mapped memory is a GPU version's") {
			t.Errorf("%s is skipped for %q", x.Key(), x.Skip)
		}
	}
	if len(keys) != 8 {
		t.Errorf("%d keys", len(keys))
	}
}

// TestTimedParts: arrays are pageable unless a config asks for pinned ones, and that is
// skipped where nothing is copied. A CPU version's answer is there without a copy.
func TestTimedParts(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham"], "tunables": {"L": 32},
		"sweep_arg": {"timed": ["kernel", "answer"], "host": ["pageable", "pinned"], "memory": ["device", "mapped"]}}`), example(), onGPU)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range p.Points {
		use := x.Using()
		got[strings.Join([]string{string(x.Processor), use.Text("timed"), use.Text("host"), use.Text("memory")}, " ")] = x.Skip
	}
	const cpu, kernel, mapped = "a CPU version's arrays are not copied, so not pinned", "nothing is copied where the kernels alone are timed, so nothing is pinned", "mapped memory is not copied, so not pinned"
	for at, want := range map[string]string{
		"GPU kernel pageable device": "", "GPU kernel pinned device": kernel, "GPU answer pageable device": "", "GPU answer pinned device": "",
		"GPU kernel pageable mapped": "", "GPU kernel pinned mapped": kernel, "GPU answer pageable mapped": "", "GPU answer pinned mapped": mapped,
		"CPU kernel pageable device": "", "CPU kernel pinned device": cpu, "CPU answer pageable device": "", "CPU answer pinned device": cpu,
		"CPU kernel pageable mapped": "mapped memory is a GPU version's",
	} {
		if skip, ok := got[at]; !ok || skip != want {
			t.Errorf("%s: %q; want %q", at, skip, want)
		}
	}
	if p, err = Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham"], "tunables": {"L": 32}, "sweep_arg": {"timed": ["kernel", "answer"]}}`), example(), onGPU); err != nil {
		t.Fatal(err)
	}
	for _, x := range p.Points {
		if use := x.Using(); use.Text("host") != map[string]string{"answer": "pageable"}[use.Text("timed")] {
			t.Errorf("%s", x.Key())
		}
	}
	if p, err = Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham"], "tunables": {"L": 32}, "static_args": {"beside": {"gpu": 0.5}}}`), example(), onGPU); err != nil {
		t.Fatal(err)
	}
	for _, x := range p.Points {
		if want := map[string]string{"GPU": "a load on the GPU is one beside versions on the CPU"}[string(x.Processor)]; x.Skip != want {
			t.Errorf("%s is skipped for %q; want %q", x.Key(), x.Skip, want)
		}
	}
	if p, err = Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham"], "tunables": {"L": 32}, "static_args": {"launch": "graph"}}`), example(), onGPU); err != nil {
		t.Fatal(err)
	}
	for _, x := range p.Points {
		if want := map[string]string{"CPU": "a CPU version is not launched, so not as a graph"}[string(x.Processor)]; x.Skip != want {
			t.Errorf("%s is skipped for %q; want %q", x.Key(), x.Skip, want)
		}
	}
	if _, err := Make(t.Context(), load(t, `{"algorithm": "fft", "static_args": {"host": "pinned"}}`), example(), onGPU); err == nil || !strings.Contains(err.Error(), "there is no timed; set that to answer or leave host out") {
		t.Errorf("%v", err)
	}
}
