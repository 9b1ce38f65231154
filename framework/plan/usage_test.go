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
		"sweep_arg": {"memory": ["device", "mapped"], "rate_hz": [10, "max"]}}`), example(), gpu)
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
