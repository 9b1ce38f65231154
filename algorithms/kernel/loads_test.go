package kernel

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

// What a library does by itself when it is loaded is found in its file, before it is loaded.
func TestStartsAlone(t *testing.T) {
	const honest = "double f(double x) { static double sum; return sum += x; }\n"
	for text, want := range map[string]string{
		honest: "",
		honest + "__attribute__((constructor)) static void before(void) { f(1); }\n":                                                                                                                "constructor",
		honest + "static void before(void) { f(1); }\n__attribute__((section(\".init_array\"), used)) static void (*at)(void) = before;\n":                                                          "constructor",
		honest + "__asm__(\".section .init\\n\\t.zero 100, 0x90\\n\\t.text\");\n":                                                                                                                   "code in .init",
		honest + "static double a(void) { return 1; }\nstatic void *pick(void) { return a; }\ndouble g(void) __attribute__((ifunc(\"pick\")));\n":                                                   "ifunc",
		honest + "__asm__(\".pushsection .bss\\n.globl kept\\n.type kept, %gnu_unique_object\\n.size kept, 8\\nkept: .zero 8\\n.popsection\");\nextern long kept;\nlong h(void) { return kept; }\n": "STB_GNU_UNIQUE",
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "x.c")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := makeLibrary(folder, "", path, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var refused *gpu.CompileError
		switch err := startsAlone(file, path); {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
