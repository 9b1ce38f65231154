package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"example.org/bench/framework/judge"
)

// FuzzLines: each line that is not blank has one response, a line of JSON with one of result and
// error, whatever it asks for.
func FuzzLines(f *testing.F) {
	for _, text := range []string{"", "\n\n", `{"id": 1, "method": "doctor"}`, `{"id": [1], "method": "list", "params": {"subject": "fft"}}` + "\n{}", `{"id": "x", "method": "judge", "params": {"task": "t"}}`, "null\n[]\n7", `{"method": "verify", "params": {"set": ["a=1"]}}`} {
		f.Add(text)
	}
	b := &Bench{
		Verb: func(context.Context, []string) (int, string, string) { return 0, "{}", "" },
		Task: func(string) (*judge.Task, error) { return nil, errors.New("no task") },
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		if err := Lines(t.Context(), b, strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		want, got := 0, 0
		for line := range strings.Lines(text) {
			if len(bytes.TrimSpace([]byte(line))) > 0 {
				want++
			}
		}
		for line := range strings.Lines(out.String()) {
			got++
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil || (r["result"] == nil) == (r["error"] == nil) {
				t.Errorf("%q: %v", line, err)
			}
		}
		if want != got {
			t.Errorf("%d responses to %d requests", got, want)
		}
	})
}
