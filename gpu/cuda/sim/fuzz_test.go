package sim

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzCompiler: whatever a compiler says and writes, its warnings and the rest are lines of
// it, and an assembly keeps each of its lines.
func FuzzCompiler(f *testing.F) {
	f.Add("a.cu:3:5: warning: ‘x’ is used uninitialized [-Wuninitialized]\na.cu:2:1: note: ‘x’ was declared here\nother\n")
	f.Add("\t.section\t.tbss\n\t.align 4\n\t.type\tx, @object\nx:\n\t.zero\t4\n\tcall\t*__tsan_read4@GOTPCREL(%rip)\n")
	f.Add("\t.type\tobject\nobject:\n")
	f.Fuzz(func(t *testing.T, text string) {
		reads, rest := warned(text)
		for _, line := range reads {
			if strings.Contains(line, "\n") {
				t.Errorf("%q", line)
			}
		}
		if len(rest) > len(text)+1 {
			t.Errorf("%d bytes of %d", len(rest), len(text))
		}
		out := guard([]byte(text))
		for line := range bytes.Lines([]byte(text)) {
			at := bytes.Index(out, line)
			if at < 0 {
				t.Fatalf("%q is lost", line)
			}
			out = out[at+len(line):]
		}
	})
}
