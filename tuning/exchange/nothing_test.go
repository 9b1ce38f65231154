package exchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingToTransfer: a search of no sweep points is refused; its table has no first row.
func TestNothingToTransfer(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"tune.json": `{"tasks": []}`, "trials.csv": "evaluation,algorithm,version\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Transfers([]string{dir}, "", func(string, ...any) {})
	if err == nil || !strings.Contains(err.Error(), "no sweep point to compare") {
		t.Errorf("%v, %v", all, err)
	}
}
