package kernel

import "testing"

// A name is refused only where no compiler can know it.
func TestUnknownTemplateArguments(t *testing.T) {
	const text = "#define WIDE 8\nenum Order { rows };\ntemplate <class T, int N> __global__ void sum(T *x) {}\n"
	names := scope{"BLOCK": 1, "K": 1, deviceName: anyFacts}
	for _, c := range []struct{ name, text, refused string }{
		{"sum<float, BLOCKK>", text, "BLOCKK"},
		{"ns::sum<floot, BLOCK>", text, "floot"},
		{"sum<float, 2 * BLOK + 1>", text, "BLOK"},
		{"sum<T4, 4>", text, "T4"},
		{"sum<float, BLOCKK>", "#include <stdint.h>\n" + text, "BLOCKK"}, // which is known
		{"sum", text, ""},
		{"sum<float, BLOCK>", text, ""},
		{"sum<const unsigned long long *, sizeof(double) * K>", text, ""},
		{"sum<float4, WIDE>", text, ""},
		{"sum<uint8_t, rows>", text, ""},
		{"sum<float, 0x1Fu + 1e3f>", text, ""},
		{"sum<float, FROM_OPTIONS>", text, ""},
		{"sum<std::complex<float>, 4>", text, ""},
		{"sum<thing, 4>", "#include <cub/cub.cuh>\n" + text, ""},
		{"sum<thing, 4>", "#include \"own.h\"\n" + text, ""},
		{"sum<thing, 4>", "#include HEADER\n" + text, ""},
		{"sum<make4, 4>", "#define MAKE(n) struct make##n {}\nMAKE(4);\n" + text, ""},
		{"sum<thing, 4>", "struct thing {};\n" + text, ""},
	} {
		u := &unit{path: "x.cu", text: c.text, headers: map[string]string{}}
		u.standard()
		got := u.unknownArgument(c.name, names, []option{{Text: "-DFROM_OPTIONS=3"}})
		want := ""
		if c.refused != "" {
			want = c.refused + ", a template's argument, is no parameter, tunable or macro, and no name in x.cu"
		}
		if want == "" && got != "" || want != "" && (len(got) < len(want) || got[:len(want)] != want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}
