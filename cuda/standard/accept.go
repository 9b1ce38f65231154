package standard

import (
	"regexp"
	"strings"
	"sync"

	"bench/cuda/syntax"
)

var (
	// annotated matches what marks a lambda for a device, which in a kernel it is anyway.
	annotated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\](\s*)((?:__(?:device|host|forceinline|noinline)__\s*)+)([({])`)
	})
	aligned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(__shared__\s+)alignas(\s*\()`) })
	sized   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\bextern\b[^;{}()=]*__shared__[^;{}=]*\[|__shared__\s+extern\b[^;{}=]*\[)\s*0\s*\]`)
	})
	ofC20 = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:concept\s+\w+\s*=|requires\s*[({]|requires\s+\w+|consteval\b|constinit\b)|<=>`)
	})
)

// Accept returns text in words that NVRTC takes too where nvcc takes more: a lambda marked for a device, a dynamic
// array of no elements, alignas behind __shared__. Lines stay where they are.
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
	return text
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
