package kernel

import (
	"encoding/json"
	"os"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// replaced calls do for each value of a JSON text replaced by each of others.
func replaced(t *testing.T, text string, others []any, do func(text []byte)) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(value any, set func(any))
	walk = func(value any, set func(any)) {
		for _, other := range others {
			set(other)
			changed, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			do(changed)
		}
		set(value)
		switch value := value.(type) {
		case map[string]any:
			for key, x := range value {
				walk(x, func(to any) { value[key] = to })
			}
		case []any:
			for i, x := range value {
				walk(x, func(to any) { value[i] = to })
			}
		}
	}
	walk(root, func(to any) { root = to })
}

// TestDraftOfAnyConfig: what the schema refuses is looked at further, and that does not crash.
func TestDraftOfAnyConfig(t *testing.T) {
	for _, c := range []struct{ config, source, right string }{
		{loopConfig, loopKernels, loopRight}, {structureConfig, structureKernels, structureRight},
	} {
		path := files(t, map[string]string{"x.json": c.config, "x.cu": c.source, "x.c": c.right})
		further := 0
		replaced(t, c.config, []any{[]any{}, map[string]any{"a": 1.5}}, func(text []byte) {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			cfg, err := config.Draft(path)
			if cfg == nil || cfg.CUDA == nil {
				return
			}
			f, failed := Draft(cfg)
			if err == nil && failed == nil || f == nil {
				return
			}
			_ = plan.Names(cfg, f)
			further++
		})
		if further < 50 {
			t.Errorf("%d drafts", further)
		}
	}
}
