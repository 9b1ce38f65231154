package trust

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzKey: a key's file of any content is no key, or one of the right length; with none nothing
// is sealed.
func FuzzKey(f *testing.F) {
	for _, n := range []int{0, 1, sha256.Size - 1, sha256.Size, sha256.Size + 1, 1 << 20} {
		f.Add(make([]byte, n), "", uint16(0o600))
	}
	f.Add(make([]byte, sha256.Size), "x", uint16(0o640))
	state := f.TempDir()
	path := filepath.Join(state, keyFile)
	f.Setenv("STATE_DIRECTORY", state)
	f.Fuzz(func(t *testing.T, key []byte, by string, mode uint16) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, key, 0o600); err != nil {
			t.Fatal(err)
		}
		perm := os.FileMode(mode)&0o777 | 0o400 // the owner reads it
		if err := os.Chmod(path, perm); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 1<<20, func() {
			text := []byte("text")
			got, err := readKey(path)
			damage.CheckError(t, err)
			good := len(key) == sha256.Size && perm&0o077 == 0
			if (err == nil) != good || err == nil && string(got) != string(key) {
				t.Errorf("%d bytes of mode %v: %v", len(key), perm, err)
			}
			if Sealed(text, by) && (!good || by != seal(key, text)) {
				t.Errorf("%q is a seal", by)
			}
			if made, err := Seal(text); (err == nil) != good || err == nil && !Sealed(text, made) {
				t.Errorf("a seal %q: %v", made, err)
			}
		})
	})
}
