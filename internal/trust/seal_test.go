package trust

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSeal(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("STATE_DIRECTORY", state)
	text := []byte("text")
	if Sealed(text, "") || Sealed(text, seal(nil, text)) {
		t.Error("without a key anything is sealed")
	}
	if _, err := os.Stat(state); !os.IsNotExist(err) {
		t.Errorf("to look at a seal makes a folder: %v", err)
	}
	by, err := Seal(text)
	if err != nil || !Sealed(text, by) || Sealed([]byte("test"), by) || Sealed(text, "") || Sealed(text, by[1:]) {
		t.Errorf("seal %q, %v", by, err)
	}
	if again, err := Seal(text); again != by || err != nil {
		t.Errorf("another seal, %q: %v", again, err)
	}
	entries, err := os.ReadDir(state)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	key := filepath.Join(state, keyFile)
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if Sealed(text, by) {
		t.Error("a key that others can read seals")
	}
	t.Setenv("STATE_DIRECTORY", filepath.Join(state, "another"))
	if Sealed(text, by) {
		t.Error("another user's seal counts")
	}
	if other, err := Seal(text); err != nil || other == by {
		t.Errorf("another user's seal is the same, %v", err)
	}
}
