package sim

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"

	"example.org/bench/internal/lazy"
)

var (
	column = lazy.Regexp(`:\d+$`)
	quotes = strings.NewReplacer("‘", "'", "’", "'")
)

// guardBytes is the number of bytes on both sides of a __shared__ variable and before a variable of the
// device: more than a row of most tiles.
const guardBytes = 128

// constantSection begins the names of the sections that cpp/cuda.h puts __constant__ variables in.
const constantSection = "bench_constant."

// guardFile applies guard to a file.
func guardFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, guard(text), 0o600)
}

// ownAddress matches an instruction that passes a place in the function's own frame to a call, on x86-64.
// announced matches a call that announces an access.
var (
	ownAddress = lazy.Regexp(`^\t(?:leaq\t-?\d*\(%rsp\)|movq\t%rsp), %rdi$`)
	announced  = lazy.Regexp(`^\tcall\t\*__tsan_(?:unaligned_)?(?:read|write)(?:1|2|4|8|16)@`)
	ofDebug    = lazy.Regexp(`^(?:\t\.loc\t|\.L(?:VL|BB|BE|BI)\d+:)`)
)

// unlessLocal goes before a call that announces an access. It skips the call if the address is near above
// the stack pointer, as in is_local of cpp/checks.h. The call may change %%rax and the flags (System V
// AMD64 ABI 3.2.1).
const unlessLocal = "\tmovq\t%%rdi, %%rax\n\tsubq\t%%rsp, %%rax\n\tcmpq\t$4096, %%rax\n\tjb\t.Lbench_local_%d\n"

// guard edits the output of g++ -S. It puts room between variables, so that the bytes next to a variable
// belong to no other ("Using as": .section, .zero). It removes the calls that announce an access to a
// local variable, which would pass every check.
func guard(text []byte) []byte {
	room := fmt.Sprintf("\t.zero\t%d\n", guardBytes)
	var out bytes.Buffer
	out.Grow(len(text) + len(text)/16)
	section, align, object := "", "", ""
	own := false // whether the next call's argument is such an address
	calls := 0
	behind := false // whether the next line is a __shared__ variable's content
	for line := range bytes.Lines(text) {
		word := strings.TrimRight(string(line[:min(len(line), 1024)]), "\n")
		if announced().MatchString(word) {
			if !own {
				calls++
				fmt.Fprintf(&out, unlessLocal, calls)
				out.Write(line)
				fmt.Fprintf(&out, ".Lbench_local_%d:\n", calls)
			}
			own = false
			continue
		}
		own = own && ofDebug().MatchString(word) || ownAddress().MatchString(word)
		switch {
		case strings.HasPrefix(word, "\t.section\t"):
			section, _, _ = strings.Cut(word[len("\t.section\t"):], ",")
			align = ""
		case word == "\t.text" || word == "\t.data" || word == "\t.bss":
			section, align = word[1:], ""
		case strings.HasPrefix(word, "\t.align") || strings.HasPrefix(word, "\t.p2align"):
			align = word + "\n"
		case strings.HasPrefix(word, "\t.type\t") && strings.HasSuffix(word, "object"):
			object, _, _ = strings.Cut(word[len("\t.type\t"):], ",")
		case object != "" && word == object+":":
			shared := section == ".tbss" || strings.HasPrefix(section, ".tbss.")
			if shared || section == ".data" || section == ".bss" || strings.HasPrefix(section, ".data.") && !strings.HasPrefix(section, ".data.rel") || strings.HasPrefix(section, constantSection) {
				out.WriteString(room)
				out.WriteString(align)
			}
			behind = shared
			out.Write(line)
			object, align = "", ""
			continue
		}
		out.Write(line)
		if behind {
			out.WriteString(room)
			behind = false
		}
	}
	return out.Bytes()
}

// warned returns g++'s warnings about local variables that are read before they are written, e.g.
// "mine.cu:12: 'sum' may be used uninitialized", and the log without them.
func warned(log string) (reads []string, rest string) {
	var kept strings.Builder
	in := bufio.NewScanner(strings.NewReader(log))
	in.Buffer(nil, len(log)+1)
	skip := false
	for in.Scan() {
		line := in.Text()
		place, text, ok := strings.Cut(line, ": warning: ")
		if ok && strings.Contains(text, "uninitialized]") {
			text, _, _ = strings.Cut(text, " [-W")
			reads = append(reads, column().ReplaceAllString(place, "")+": "+quotes.Replace(text))
			skip = true
			continue
		}
		if skip && strings.Contains(line, ": note: ") {
			continue
		}
		skip = false
		kept.WriteString(line + "\n")
	}
	return reads, kept.String()
}
