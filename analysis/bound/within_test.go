package bound

import "testing"

// A run that is shorter than schedulers take for its instructions has as many fewer of them, and of their results; accesses and
// bytes stay, and so does a run that is long enough.
func TestWithin(t *testing.T) {
	w := Work{Amounts: map[string]float64{Issue: 100, Float32: 3200, Accesses: 64, DRAMBytes: 512}, Issuing: 2e-6}
	if got := w.Within(3e-6); got.Amounts[Issue] != 100 || got.Issuing != 2e-6 {
		t.Errorf("%+v", got)
	}
	got := w.Within(1e-6)
	for name, want := range map[string]float64{Issue: 50, Float32: 1600, Accesses: 64, DRAMBytes: 512} {
		if got.Amounts[name] != want {
			t.Errorf("%s: %g, want %g", name, got.Amounts[name], want)
		}
	}
	if w.Amounts[Issue] != 100 {
		t.Error("the work itself has changed")
	}
}
