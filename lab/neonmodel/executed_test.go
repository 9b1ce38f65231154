package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A stand-in emulator goes through the inner loop of the listing twice, each time
// after a signal, and logs what QEMU does; two processes log.
func TestExecutedInstructions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qemu")
	script := `#!/bin/sh
grep -q '"algorithm":"qr"' "$8" || exit 3
set -- $BENCH_WORKER_PREFIX
for a in "$@"; do last=$a; done
log=${last%.%d}
for i in 1 2; do
  echo "Trace 6: 0x7f5c62169140 [0000000001009b31/0000000000001008/00000001/00080201] outer" >>$log.1
  echo "Stopped execution of TB chain before 0x7f5c62169140 [0000000000001008] outer" >>$log.1
  for pc in 1008 100c 1010 1014 1018; do
    echo "Trace 6: 0x7f5c62169140 [0000000001009b31/000000000000$pc/00000001/00080201] outer" >>$log.1
  done
done
: >$log.2
echo "$BENCH_WORKER_PREFIX" | grep -q -e '-dfilter 0x1000+0x28 ' || exit 4
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	outer := functions([]byte(listing))["outer.abi0"]
	e := &emulator{qemu: path, root: "/root", program: "bench"}
	counts, err := e.verify(map[string][]instruction{"example.org/bench/algorithms/qr.outerNEON.abi0": outer, "example.org/bench/algorithms/qr.outer": outer}, "qr", "parallel", nil)
	if err != nil {
		t.Fatal(err)
	}
	instructions, multiplyAdds := sum(outer, counts)
	if instructions != 10 || multiplyAdds != 10 {
		t.Errorf("%d instructions with %d multiply-adds, want twice 5 with 4 of a vector and 1", instructions, multiplyAdds)
	}
	if n := loops(outer)[0].times(counts); n != 2 {
		t.Errorf("the loop was gone through %d times, want 2", n)
	}
	if _, err := e.verify(nil, "fft", "stockham", nil); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v, want the emulator's exit status", err)
	}
}

func TestLogOfSomethingElse(t *testing.T) {
	if err := executions(strings.NewReader("IN: outer\n"), map[int64]int{}); err == nil || !strings.Contains(err.Error(), "IN: outer") {
		t.Errorf("error %v, want the line", err)
	}
}
