package plan

import "testing"

func TestInModes(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "sweep_arg": {"N": [64, 128]}}`), example(), noGPU)
	if err != nil {
		t.Fatal(err)
	}
	before := p.Points
	p.InModes([]string{"MAXN", "MAXQ"}, func(name string) string { return map[string]string{"MAXQ": "boot into it"}[name] })
	if len(p.Points) != 2*len(before) {
		t.Fatalf("%d points in two modes, %d in one", len(p.Points), len(before))
	}
	seen := map[string]bool{}
	for i, x := range p.Points {
		want, skip := "MAXN", before[i%len(before)].Skip
		if i >= len(before) {
			want = "MAXQ"
			if skip == "" {
				skip = "boot into it"
			}
		}
		if x.ID != i || x.PowerMode != want || x.Skip != skip || x.Problem() != before[i%len(before)].Problem() || seen[x.Key()] {
			t.Errorf("point %d: ID %d in %s, key %s, skipped for %q", i, x.ID, x.PowerMode, x.Key(), x.Skip)
		}
		seen[x.Key()] = true
	}
}
