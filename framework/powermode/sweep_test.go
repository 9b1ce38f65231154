package powermode

import (
	"path/filepath"
	"testing"

	"example.org/bench/test/tree"
)

// A sweep knows the mode that was on, also when another is, and the modes' numbers.
func TestSweepKnowsTheModes(t *testing.T) {
	root := tree.Unpack(t, "testdata/jetson-tx2-l4t28.txtar")
	t.Setenv("PATH", tree.Bin(t)+":/usr/bin:/bin")
	t.Setenv("BENCH_TREE", root)
	n, err := OpenNvpmodel(root)
	if err != nil {
		t.Fatal(err)
	}
	s, err := BeginSweep(n, func() error { return nil }, "4,0", filepath.Join(t.TempDir(), "state", "note.json"))
	if err != nil {
		t.Fatal(err)
	}
	s.EnterFirst()
	if m, err := n.Current(); err != nil || m.ID != "4" {
		t.Errorf("%+v, %v", m, err)
	}
	if s.Present() != "MAXP_CORE_ARM" || s.Number("MAXP_CORE_DENVER") != 4 || s.Number("MAXN") != 0 {
		t.Errorf("was in %s; numbers %v and %v", s.Present(), s.Number("MAXP_CORE_DENVER"), s.Number("MAXN"))
	}
	if err := s.End(); err != nil {
		t.Error(err)
	}
	g := gpu(t, &card{limit: 700})
	for name, number := range map[string]float64{"default": 700, "300W": 300, "350.5W": 350.5, "1200MHz": 1200} {
		if modes, err := Find(g, name); err != nil || modes[0].Number() != number {
			t.Errorf("%s: %+v, %v; want the number %v", name, modes, err, number)
		}
	}
}
