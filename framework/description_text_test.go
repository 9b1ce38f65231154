package framework

import "testing"

// What an algorithm does not have has no table.
func TestText(t *testing.T) {
	f := &Factory{Name: "toy", Doc: "plays", Params: []Param{
		{Name: "N", Kind: Int, Default: IntValue(8), DefaultGPU: IntValue(80), Min: 1, Max: 100, Doc: "size", Unit: "B"},
		{Name: "kind", Kind: Text, Default: TextValue("a"), Choices: []string{"a", "b"}, Doc: "which"},
	}, Versions: []Version{{Name: "v", Processor: CPU, Doc: "slow"}}}
	const plain = "toy: plays\n\nPARAMETER  DEFAULT     RANGE    MEANING\nN          8 (GPU 80)  1 … 100  size [B]\nkind       a           a, b     which\n" +
		"\nVERSION  RUNS ON    MEANING\nv        CPU        slow\n"
	if got := f.Text(); got != plain {
		t.Errorf("%q, want\n%q", got, plain)
	}
	f.Source = "a paper"
	f.Versions = append(f.Versions, Version{Name: "w", Processor: GPU, Peer: true, Doc: "theirs", Tunables: []Tunable{{Name: "T", Values: []int64{1, 2}, Doc: "tile"}}})
	f.Formulas = []Formula{{Name: "FLOPs", Text: "2 N"}}
	const full = "toy: plays\nSource: a paper\n\nPARAMETER  DEFAULT     RANGE    MEANING\nN          8 (GPU 80)  1 … 100  size [B]\nkind       a           a, b     which\n" +
		"\nVERSION  RUNS ON        MEANING\nv        CPU            slow\nw        GPU      peer  theirs\n" +
		"\nTUNABLE  OF VERSION  VALUES  MEANING\nT        w           1 2     tile\n\nCOUNT  FORMULA\nFLOPs  2 N\n"
	if got := f.Text(); got != full {
		t.Errorf("%q, want\n%q", got, full)
	}
	if got, want := NewRegistry([]*Factory{f}, nil).Text(), "toy  plays\n     versions: v (CPU), w (GPU)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
