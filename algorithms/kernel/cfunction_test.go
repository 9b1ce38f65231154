package kernel

import (
	"os"
	"path/filepath"
	"testing"
)

// A mistake has the same message each time: a run's summary groups points by
// it. Not the compiler's, the linker's nor the loader's has the random folder.
func TestCompileMessagesRepeat(t *testing.T) {
	if err := compilerAvailable(); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "x.c")
	for name, c := range map[string]struct {
		text    string
		options []string
	}{
		"the call":     {"void bench_call(void) { 1 }\n", nil},
		"the function": {"#include \"" + path + "\"\n", nil},
		"linking":      {"void absent(void);\nvoid bench_call(void) { absent(); }\n", []string{"-Wl,-z,defs"}},
		"loading":      {"void absent(void);\nvoid bench_call(void) { absent(); }\n", []string{"-Wl,-z,now"}},
	} {
		if err := os.WriteFile(path, []byte("int x = ;\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, first := compileC(c.text, path, c.options)
		_, second := compileC(c.text, path, c.options)
		if first == nil || second == nil || first.Error() != second.Error() {
			t.Errorf("%s: %v\nand then %v", name, first, second)
		}
	}
}
