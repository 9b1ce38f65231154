package standard

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

var (
	// annotated matches what marks a lambda as a device's. In a kernel it is one anyway.
	annotated = lazy.Regexp(`\](\s*)((?:__(?:device|host|forceinline|noinline)__\s*)+)([({])`)
	aligned   = lazy.Regexp(`(__shared__\s+)alignas(\s*\()`)
	sized     = lazy.Regexp(`(\bextern\b[^;{}()=]*__shared__[^;{}=]*\[|__shared__\s+extern\b[^;{}=]*\[)\s*0\s*\]`)
	reference = lazy.Regexp(`\btexture\s*<\s*([\w\s]+?)\s*(?:,\s*(\w+)\s*)?(?:,\s*(\w+)\s*)?>\s*(\w+\s*(?:,\s*\w+\s*)*;)`)
	// statements matches GNU's statement expression, whose value is its last statement's, as in macros for a minimum. typeOf
	// matches the type of a variable that copies a value.
	statements = lazy.Regexp(`\(\{([^{}]*;)((?:\s|\\\n)*)([^;{}]*[^;{}\s\\]);([\s\\]*)\}\)`)
	typeOf     = lazy.Regexp(`\b(?:__typeof__|__typeof|typeof)\s*\([^()]*\)(\s*\w+\s*=)`)
	noValue    = lazy.Regexp(`^(?:if|for|while|do|switch|return|break|continue|asm|else)\b`)
	ofC20      = lazy.Regexp(`\b(?:concept\s+\w+\s*=|requires\s*[({]|requires\s+\w+|consteval\b|constinit\b)|<=>`)
)

// Accept rewrites what nvcc takes, or once took, and NVRTC does not: a lambda marked for a device, a dynamic array of no
// elements, alignas behind __shared__, texture references, statement expressions. Lines stay where they are.
func Accept(text string) string {
	if strings.Contains(text, "__device__") {
		text = annotated().ReplaceAllStringFunc(text, func(lambda string) string {
			m := annotated().FindStringSubmatch(lambda)
			return "]" + m[1] + strings.Repeat("\n", strings.Count(m[2], "\n")) + m[3]
		})
	}
	if strings.Contains(text, "__shared__") {
		text = aligned().ReplaceAllString(text, "${1}__align__${2}")
		text = sized().ReplaceAllString(text, "${1}]")
	}
	if strings.Contains(text, "texture") {
		text = reference().ReplaceAllStringFunc(text, func(declared string) string {
			m := reference().FindStringSubmatch(declared)
			normalized := "0"
			if m[3] == "cudaReadModeNormalizedFloat" {
				normalized = "1"
			}
			lines := strings.Repeat("\n", strings.Count(declared, "\n")-strings.Count(m[4], "\n"))
			return fmt.Sprintf("__device__ __constant__ bench_texture<%s, %d, %s>%s %s", strings.Join(strings.Fields(m[1]), " "), dimensions(m[2]), normalized, lines, m[4])
		})
	}
	if strings.Contains(text, "({") {
		text = statements().ReplaceAllStringFunc(text, func(all string) string {
			m := statements().FindStringSubmatch(all)
			if noValue().MatchString(m[3]) {
				return all
			}
			return "([&] {" + typeOf().ReplaceAllString(m[1], "auto${1}") + m[2] + "return " + m[3] + ";" + m[4] + "}())"
		})
	}
	return text
}

// dimensions returns the number for the second argument of a texture reference: 1 if there is none, over 240 for layers.
func dimensions(word string) int {
	n := map[string]int{"": 1, "cudaTextureType1D": 1, "cudaTextureType2D": 2, "cudaTextureType3D": 3, "cudaTextureType1DLayered": 0xf1, "cudaTextureType2DLayered": 0xf2}[word]
	if n == 0 {
		n, _ = strconv.Atoi(word) // 0, which no kernel reads, for any other word
	}
	return n
}

// Dialect returns the option for the C++ standard that the texts need beyond the usual one; "" for none.
func Dialect(texts []string) string {
	for _, text := range texts {
		if ofC20().MatchString(text) && ofC20().MatchString(syntax.WithoutRemarks(text)) {
			return "--std=c++20"
		}
	}
	return ""
}
