package experiment

import (
	"encoding/json"
	"testing"
)

// Only what is drawn differs from run to run.
func TestTaskDraws(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"name": "y", "use": "output"}, {"name": "x", "fill": {"random": [-1, 1]}}]`:       true,
		`[{"name": "s", "fields": [{"name": "a", "fill": {"random": [0, 9]}}]}]`:             true,
		`[{"name": "x", "fill": {"constant": 1}}, {"name": "z", "fill": {"file": "z.npy"}}]`: false,
		`[{"name": "y", "use": "output"}]`:                                                   false,
	} {
		var arguments any
		if err := json.Unmarshal([]byte(text), &arguments); err != nil {
			t.Fatal(err)
		}
		if got := draws(arguments); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
