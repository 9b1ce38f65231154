package config

import (
	"os"
	"path/filepath"
	"testing"
)

// A config is looked for in the working folder, then beside the program and in the
// folder for its data.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"usr/bin/bench", "usr/share/bench/configs/fft.json", "usr/share/bench/configs/peers/fft.json", "usr/share/bench/secret.json",
		"archive/bench", "archive/configs/fft.json", "work/configs/scan.json"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "usr/bin/bench"), "link"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "work"))
	for _, c := range []struct{ program, name, want string }{
		{"usr/bin/bench", "fft.json", "usr/share/bench/configs/fft.json"},
		{"usr/bin/bench", "configs/fft.json", "usr/share/bench/configs/fft.json"},
		{"usr/bin/bench", "./configs/peers/fft.json", "usr/share/bench/configs/peers/fft.json"},
		{"link", "fft.json", "usr/share/bench/configs/fft.json"},
		{"archive/bench", "fft.json", "archive/configs/fft.json"},
		// Those of the working folder come first; these are nowhere.
		{"usr/bin/bench", "configs/scan.json", ""},
		{"usr/bin/bench", "none.json", ""},
		{"usr/bin/bench", "../secret.json", ""},
		{"usr/bin/bench", "-", ""},
		{"usr/bin/bench", "/fft.json", ""},
		{"usr/bin/bench", "peers", ""},
	} {
		want := c.name
		if c.want != "" {
			want = filepath.Join(dir, c.want)
		}
		if got := find(c.name, filepath.Join(dir, c.program)); got != want {
			t.Errorf("%s of %s: %s, want %s", c.name, c.program, got, want)
		}
	}
}
