package powermode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// boots lists the modes that a board must boot into.
func boots(n *Nvpmodel) (ids string) {
	for _, m := range n.Modes() {
		if n.Boot(m) != "" {
			ids += m.ID
		}
	}
	return ids
}

// TestModesThatNeedABoot: on an AGX Orin those whose mask is not the present one.
func TestModesThatNeedABoot(t *testing.T) {
	for _, c := range []struct{ board, mask, want string }{
		{"jetson-orin-l4t36", "sys/devices/platform/bus@0/17000000.gpu/tpc_pg_mask", "013"},
		{"jetson-orin-l4t35", "sys/devices/17000000.ga10b/tpc_pg_mask", "12"},
		{"jetson-tx2-l4t28", "", ""},
		{"jetson-tx2-l4t32", "", ""},
		{"jetson-nano-l4t32", "", ""},
	} {
		n, root := board(t, c.board)
		if got := boots(n); got != c.want {
			t.Errorf("%s: modes %s need a boot, want %s", c.board, got, c.want)
		}
		if c.mask == "" {
			continue
		}
		file := filepath.Join(root, c.mask)
		if err := os.WriteFile(file, []byte("0xf8\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := boots(n); got != "023" {
			t.Errorf("%s: under mask 248 modes %s need a boot, want 0, 2, 3", c.board, got)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if got := boots(n); got != c.want {
			t.Errorf("%s: by the present mode alone, modes %s need a boot, want %s", c.board, got, c.want)
		}
		if err := os.Remove(filepath.Join(root, "var/lib/nvpmodel/status")); err != nil {
			t.Fatal(err)
		}
		if got := boots(n); got != "" {
			t.Errorf("%s: modes %s need a boot though the present mask is unknown", c.board, got)
		}
		o, err := Survey(root)
		if err != nil || o.Modes[1].Masks["TPC_PG_MASK"] != "248" {
			t.Errorf("%s: %v, modes %+v", c.board, err, o)
		}
	}
	n, _ := board(t, "jetson-orin-l4t36")
	const want = "other units of the GPU are on in power mode MODE_15W (TPC_PG_MASK 248, now 240): boot into it (sudo nvpmodel -m 1, and yes to the reboot)"
	if got := n.Boot(n.Modes()[1]); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFirstModeIsEnteredOnce: by EnterFirst, which leaves out what needs a boot; its
// failure is that of Enter.
func TestFirstModeIsEnteredOnce(t *testing.T) {
	for _, refused := range []bool{false, true} {
		n, root := board(t, "jetson-orin-l4t36")
		if refused {
			t.Setenv("BENCH_TREE_ERROR", "2")
		}
		s, err := BeginSweep(n, func() error { return nil }, "0,2", filepath.Join(t.TempDir(), "note"))
		if err != nil {
			t.Fatal(err)
		}
		if s.Boot("MAXN") == "" || s.Boot("MODE_30W") != "" {
			t.Errorf("boot into MAXN %q, into MODE_30W %q", s.Boot("MAXN"), s.Boot("MODE_30W"))
		}
		s.EnterFirst()
		if err := s.Enter("MODE_30W"); refused != (err != nil) {
			t.Errorf("entered: %v", err)
		}
		if b, _ := os.ReadFile(filepath.Join(root, "switches")); strings.TrimSpace(string(b)) != "2" {
			t.Errorf("switched to %s, want 2 once", b)
		}
		t.Setenv("BENCH_TREE_ERROR", "")
		if err := s.End(); err != nil {
			t.Error(err)
		}
	}
}
