package diskcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
)

// Remember keeps what is known of a thing, by its identity, in bench/NAME in the user's cache folder.
func Remember(name, identity string, known any) error {
	path, err := fileOf(name, identity)
	if err != nil {
		return err
	}
	text, err := json.Marshal(known)
	if err != nil {
		return fmt.Errorf("what is known of %s: %w", identity, err)
	}
	return safefile.Write(path, bytes.NewReader(text))
}

// Known reads what Remember kept; ok is false where there is nothing that can be read. Because files are named by
// the identity's hash, the caller must compare identities.
func Known(name, identity string, known any) (ok bool) {
	path, err := fileOf(name, identity)
	if err != nil || !Use(path) {
		return false
	}
	text, err := bounded.ReadFile(path, bounded.MostText)
	return err == nil && bounded.Unmarshal(text, known) == nil
}

func fileOf(name, identity string) (string, error) {
	folder, err := Folder(name)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256([]byte(identity))
	return filepath.Join(folder, hex.EncodeToString(hash[:16])+".json"), nil
}
