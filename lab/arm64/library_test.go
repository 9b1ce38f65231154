package arm64

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"
)

// TestCLibrary: any C library for arm64 serves, also those of JetPack 3 (Ubuntu 16.04: 2.23) and 4 (18.04: 2.27), whose releases no Debian has.
// The program asks for no version of a symbol, and each that it takes is in GLIBC_2.17, the first that arm64 had: a library keeps such symbols.
func TestCLibrary(t *testing.T) {
	build(t)
	program, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	// It is an error that there is no table of them.
	if needs, err := program.DynamicVersionNeeds(); err == nil && len(needs) > 0 {
		t.Errorf("the program needs versions: %+v", needs)
	}
	taken, err := program.ImportedSymbols()
	if err != nil || len(taken) < 10 {
		t.Fatalf("the program takes %d symbols, %v", len(taken), err)
	}
	library, err := elf.Open(filepath.Join(os.Getenv(rootVariable), "lib/libc.so.6"))
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	versions, err := library.DynamicVersions()
	if err != nil {
		t.Fatal(err)
	}
	first := map[uint16]bool{}
	for _, v := range versions {
		first[v.Index] = v.Name == "GLIBC_2.17"
	}
	symbols, err := library.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	had := map[string]bool{}
	for _, s := range symbols {
		had[s.Name] = had[s.Name] || s.Section != elf.SHN_UNDEF && first[s.VersionIndex.Index()]
	}
	for _, s := range taken {
		if !had[s.Name] {
			t.Errorf("the program takes %s, which the first C library for arm64 has not", s.Name)
		}
	}
}
