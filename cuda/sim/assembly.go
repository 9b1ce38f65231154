package sim

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"bench/cuda/syntax"
)

// A PTX instruction that has a counterpart in CUDA C++ becomes that counterpart. Other asm statements are
// refused where a kernel reaches them. Otherwise the host's own instructions would pass, with accesses
// that nothing checks.
var instructions = sync.OnceValue(func() []instruction {
	compile := func(pattern, to string) instruction { return instruction{regexp.MustCompile(`^` + pattern + `$`), to} }
	return []instruction{
		compile(`(?:membar\.(?:gl|sys)|fence\.(?:acq_rel|sc)\.(?:gpu|sys))`, "__threadfence()"),
		compile(`(?:membar\.cta|fence\.(?:acq_rel|sc)\.cta)`, "__threadfence_block()"),
		compile(`(?:bar|barrier)\.sync(?:\.aligned)? 0`, "__syncthreads()"),
		compile(`bar\.warp\.sync (?:0xffffffff|-1)`, "__syncwarp()"),
		compile(`prefetchu?\.\S+ \[%0\]`, "(void)(#0)"),
		compile(`nanosleep\.u32 %0`, "__nanosleep(#0)"),
		compile(`trap`, "__trap()"),
		compile(`mov\.[us]32 %0, %(tid|ntid|ctaid|nctaid)\.([xyz])`, "#0 = bench_sim::$1().$2"),
		compile(`mov\.[us]32 %0, %(laneid|warpid|lanemask_(?:lt|le|gt|ge|eq)|clock|globaltimer_lo)`, "#0 = bench_sim::$1()"),
		compile(`mov\.[us]64 %0, %(clock64|globaltimer)`, "#0 = bench_sim::$1()"),
	}
})

// instruction is a pattern of PTX and its C++, in which #0 is the first operand.
type instruction struct {
	pattern *regexp.Regexp
	to      string
}

var (
	text    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*((?:"(?:[^"\\]|\\.)*"\s*)+)(.*)$`) })
	operand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)"[=+&]*\w"\s*\((.*)\)`) })
)

// unknownAssembly replaces an asm statement that is not known.
const unknownAssembly = "bench_sim::no_assembler()"

// assembly replaces the inline PTX among the tokens by C++ where it is known.
func assembly(tokens []string) {
	for i, token := range tokens {
		if token != "asm" && token != "__asm__" && token != "__asm" {
			continue
		}
		open := i + 1
		for open < len(tokens) && (strings.TrimSpace(tokens[open]) == "" || qualifiers[strings.Trim(tokens[open], "_")]) {
			open++
		}
		if open == len(tokens) || tokens[open] != "(" {
			continue
		}
		end, depth := open, 0
		for ; end < len(tokens); end++ {
			if tokens[end] == "(" {
				depth++
			} else if tokens[end] == ")" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if end == len(tokens) {
			return
		}
		inside := strings.Join(tokens[open+1:end], "")
		code := inCPP(strings.ReplaceAll(syntax.WithoutRemarks(inside), "\n", " "))
		if code == "" {
			continue
		}
		tokens[i] = code + strings.Repeat("\n", strings.Count(strings.Join(tokens[i:end+1], ""), "\n"))
		for k := i + 1; k <= end; k++ {
			tokens[k] = ""
		}
	}
}

// qualifiers are the qualifiers of an asm statement.
var qualifiers = map[string]bool{"volatile": true, "inline": true, "goto": true}

// inCPP returns the C++ for the content of an asm statement; it is empty if the statement has no
// instruction.
func inCPP(content string) string {
	m := text().FindStringSubmatch(content)
	if m == nil {
		return unknownAssembly
	}
	ptx := strings.NewReplacer(`\n`, " ", `\t`, " ", `"`, " ", `%%`, "%").Replace(m[1])
	ptx = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(ptx), ";")), " ")
	if ptx == "" {
		return ""
	}
	ptx = strings.NewReplacer(" ,", ",", ",%", ", %").Replace(ptx)
	for _, known := range instructions() {
		at := known.pattern.FindStringSubmatchIndex(ptx)
		if at == nil {
			continue
		}
		code := string(known.pattern.ExpandString(nil, known.to, ptx, at))
		if strings.Contains(code, "#0") {
			first := operand().FindStringSubmatch(strings.SplitN(m[2]+"::", `: "memory"`, 2)[0])
			if first == nil {
				return unknownAssembly
			}
			code = strings.ReplaceAll(code, "#0", fmt.Sprintf("(%s)", first[1]))
		}
		return code
	}
	return unknownAssembly
}
