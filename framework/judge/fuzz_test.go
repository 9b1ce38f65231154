package judge

import (
	"errors"
	"strings"
	"testing"
)

// FuzzCandidate: whatever a candidate has, it is taken or refused in one line, and one that is
// taken includes no absolute name and none that leads upwards, as it stands.
func FuzzCandidate(f *testing.F) {
	folder, source := task(f)
	for _, text := range []string{"__global__ void k() {}\n", "#include <cuda_fp16.h>\n", "#include \"near.h\"\n", "#include \"/etc/passwd\"\n", "#inc\\\nlude <../x>\n", "%:include F\n", "#if __has_include(<x>)\n", "asm(\".incbin\");\n", "#/**/include/**/\"a\"", "??=embed </x>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := Candidate{"c.cu", []byte(text)}.check(kernelForms, folder, source)
		var refusal *Refusal
		if err != nil {
			if !errors.As(err, &refusal) || strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 4000 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for line := range strings.Lines(text) {
			for _, start := range []string{"#include \"/", "#include </", "#include \"../", "#include <../", "#include_next </", "#embed \"/"} {
				if strings.HasPrefix(line, start) && strings.ContainsAny(line[len(start):], "\">") {
					t.Errorf("%q is taken", line)
				}
			}
		}
	})
}
