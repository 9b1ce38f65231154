package gpu

import (
	"fmt"
	"strings"
	"testing"
)

// What a compiler says is kept up to a bound, in whole lines, however it comes.
func TestLog(t *testing.T) {
	const line = "a.cu:1: error: no such thing\n"
	short := strings.Repeat(line, 10)
	if got := FirstPart(short); got != short {
		t.Errorf("%q", got)
	}
	exact := strings.Repeat("x", MostLog)
	if got := FirstPart(exact); got != exact {
		t.Errorf("%d bytes of %d", len(got), len(exact))
	}
	long := strings.Repeat(line, MostLog)
	lines := MostLog / len(line)
	want := strings.Repeat(line, lines) + fmt.Sprintf("… %d more bytes of the compiler's messages are left out\n", len(long)-lines*len(line)+1)
	if got := FirstPart(long); got != want {
		t.Errorf("%d bytes, ending with %q", len(got), got[max(0, len(got)-100):])
	}
	var l Log
	for i := 0; i < len(long); i += 1000 {
		l.Write([]byte(long[i:min(len(long), i+1000)]))
	}
	if l.String() != want {
		t.Error("in pieces it is another")
	}
}
