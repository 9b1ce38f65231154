package sim

import (
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// alsoOfGPUs are functions of the C library that CUDA has in device code, and those that compilers call for the
// language itself.
var alsoOfGPUs = strings.Fields(`
	malloc free memcpy memmove memset printf vprintf puts putchar
	abort __assert_fail aligned_alloc memcmp bcmp strlen __printf_chk __vprintf_chk __memcpy_chk __memset_chk __memmove_chk __stack_chk_fail
	__cxa_finalize __cxa_atexit __tls_get_addr __errno_location
`)

// hostCalls returns the functions of the C library that a unit calls and no GPU has.
func hostCalls(unit string) (names []string, err error) {
	f, err := elf.Open(unit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if strings.HasPrefix(s.Library, "libc.") && !slices.Contains(alsoOfGPUs, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names, nil
}

// hostErrors are a compiler's lines about calls of the C library, with their places in the source where they stand there.
func hostErrors(name, text string, calls []string) string {
	var b strings.Builder
	for _, call := range calls {
		at := name
		if found := regexp.MustCompile(`\b`+regexp.QuoteMeta(call)+`\s*\(`).FindAllStringIndex(text, -1); found != nil {
			at += fmt.Sprintf(":%d", 1+strings.Count(text[:found[len(found)-1][0]], "\n"))
		}
		fmt.Fprintf(&b, "%s: error: calls %s, a function of the host: device code has none of that name\n", at, call)
	}
	return b.String()
}
