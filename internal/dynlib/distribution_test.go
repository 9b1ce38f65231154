package dynlib

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Packages are those of the distribution's release: JetPack 4 is Ubuntu 18.04, and
// the TX1's first one 16.04.
func TestOpenBLASPackage(t *testing.T) {
	const before, since = "libopenblas-base", "libopenblas0-pthread"
	for text, want := range map[string]string{
		"": since,
		"NAME=\"Ubuntu\"\nVERSION_ID=\"16.04\"\nID=ubuntu\n":              before,
		"ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"18.04\"\n":               before,
		"ID=ubuntu\nVERSION_ID=\"20.04\"\n":                               since,
		"ID=ubuntu\nVERSION_ID=\"24.04\"\n":                               since,
		"PRETTY_NAME=\"Debian GNU/Linux 10\"\nID=debian\nVERSION_ID=10\n": before,
		"ID=debian\nVERSION_ID=\"12\"\n":                                  since,
		"ID=debian\n":                                                     since, // testing
		"ID=other\nVERSION_ID=\"1\"\n":                                    since,
	} {
		file := filepath.Join(t.TempDir(), "os-release")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := openBLASPackage(file); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	p := OpenBLAS[struct{}]()
	if _, err := p.Open("libabsent.so"); err == nil || !strings.Contains(err.Error(), "`apt-get install "+openBLASPackage(osRelease)+"`") {
		t.Errorf("the hint is %v", err)
	}
}
