package engine

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// TestStateWithEachPoint: a measured point has the machine's state before and after; one
// of a machine whose files tell nothing, and one that is not measured, have none.
func TestStateWithEachPoint(t *testing.T) {
	t.Parallel()
	for _, told := range []bool{true, false} {
		b := newBed(t, nil)
		if told {
			for name, text := range map[string]string{"name": "soctherm_oc", "oc3_event_cnt": "7"} {
				path := filepath.Join(b.opt.Root, "sys/class/hwmon/hwmon0", name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		var kept []record.Result
		err := b.Run(t.Context(), []plan.Point{pointOf("ok", 1), pointOf("wrong", 1)}, nil, nil, watcher{b.log}, Keep(func(r record.Result) error {
			kept = append(kept, r)
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*machine.State{kept[0].StateBefore, kept[0].StateAfter} {
			if told != (s != nil) || told && s.Events["oc3"] != 7 {
				t.Errorf("told %v, state %+v", told, s)
			}
		}
		if kept[1].StateBefore != nil || kept[1].StateAfter != nil {
			t.Errorf("a wrong point has the state %+v", kept[1].StateBefore)
		}
	}
}
