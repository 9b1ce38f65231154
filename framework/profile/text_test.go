package profile_test

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/profile"
)

// A row says how far each count is off, or why there is none.
func TestCountsTable(t *testing.T) {
	out := profile.CountsText("x", []profile.Counted{
		{Work: framework.Work{FLOPs: 7}, GPU: profile.Run{Kernels: 1, FLOPs: 8}},
		{Failed: "does not compile"},
	})
	for _, want := range []string{"-12.50 %", "+0.00 %", "OFF", "does not compile"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
}
