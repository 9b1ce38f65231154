package kernel

import "testing"

// TestTextOfAString: of a file that C++ includes as a string, the string is the source, and its lines keep their numbers. Other texts stay.
func TestTextOfAString(t *testing.T) {
	for name, c := range map[string][2]string{
		"a raw literal":           {"// of a library\nR\"(\n#define N 2\n__kernel void k() {}\n)\"\n// end\n", "// of a library\n\n#define N 2\n__kernel void k() {}\n\n// end\n"},
		"of two parts":            {"R\"cl(\nint a;\n)cl\"\nR\"cl(\nint b;\n)cl\";\n", "\nint a;\n\n\nint b;\n\n"},
		"a macro's argument":      {"\nTEXT(\n\\n#define N 2\n\\n\n__kernel void k() {}\n)\n", "\n\n#define N 2\n\n__kernel void k() {}\n"},
		"a kernel":                {"__kernel void k(\n  int n\n)\n{\n}\n", "__kernel void k(\n  int n\n)\n{\n}\n"},
		"a literal in a function": {"void f()\n{\n  const char *s = R\"(\n)\";\n}\n", "void f()\n{\n  const char *s = R\"(\n)\";\n}\n"},
		"a call at the beginning": {"DECLARE(x)\nint y;\n", "DECLARE(x)\nint y;\n"},
	} {
		if got := plainLines([]byte(c[0])); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}
