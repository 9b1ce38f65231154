package syntax_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/syntax"
)

func TestTokens(t *testing.T) {
	const text = "\n#define A(x) \\\n  x // {\nint f(char c = '}') { /* ; */ return \"a;\\\"b\"[0x1f]; }\n"
	list := syntax.Tokens(text)
	if strings.Join(list, "") != text {
		t.Errorf("%q is not all of the text", list)
	}
	for _, token := range []string{"\n#define A(x) \\\n  x // {", "'}'", "/* ; */", `"a;\"b"`, "0x1f"} {
		if !slices.Contains(list, token) {
			t.Errorf("%q lacks %q", list, token)
		}
	}
	if list := syntax.Tokens("int a;\n\n  \n#endif"); !slices.Contains(list, "\n#endif") {
		t.Errorf("%q has no directive", list)
	}
	if !syntax.IsDirective(list[0]) || syntax.IsDirective("\n") || syntax.IsDirective("#") {
		t.Error("what is a directive?")
	}
}

func TestBeginsBody(t *testing.T) {
	for head, want := range map[string]bool{
		"__global__ void k(int n)": true, "template <class T> static void f(T x) const noexcept": true, "auto f(int x) -> std::pair<int, T>": true,
		"operator T*() const // class": true, "struct P f()": true, "__device__ __attribute__((noinline)) int f(void (*g)(int))": true,
		"struct alignas(16) P": false, "struct __align__(8)": false, "template <class T> class Q : public P<T>": false, "namespace a": false, `extern "C"`: false,
		"float a[] =": false, "enum class E : int": false,
	} {
		if got := syntax.BeginsBody(head); got != want {
			t.Errorf("%s: %v", head, got)
		}
	}
}
