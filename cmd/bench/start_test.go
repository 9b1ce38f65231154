package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/test/program"
)

// The memory that the packages' variables may take before main, which each verb and each
// worker pays: of bench's own and of all. It is counted, as times depend on the machine.
const (
	mostOwnBytes = 150 << 10
	mostBytes    = 1200 << 10
)

// TestStart: what few verbs need, such as tables and regular expressions, is made when it is needed.
func TestStart(t *testing.T) {
	bench := filepath.Join(t.TempDir(), "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bench, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages := regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes, \d+ allocs$`).FindAllStringSubmatch(said.String(), -1)
	if len(packages) < 50 {
		t.Fatalf("%d packages in the trace of what starts:\n%s", len(packages), said.String())
	}
	own, all := 0, 0
	for _, p := range packages {
		n, err := strconv.Atoi(p[2])
		if err != nil {
			t.Fatal(err)
		}
		all += n
		if strings.HasPrefix(p[1], "example.org/bench/") {
			own += n
		}
	}
	if own > mostOwnBytes || all > mostBytes {
		t.Errorf("bench takes %d bytes before main, its own packages %d; want at most %d and %d:\n%s", all, own, mostBytes, mostOwnBytes, said.String())
	}
}
