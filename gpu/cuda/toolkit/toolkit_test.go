package toolkit

import (
	"errors"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

func TestAbsenceIsExplained(t *testing.T) {
	p := Peer[struct{}](Library{Name: "cuNone", File: "libcunone", Package: "libnone", Releases: []string{"13", "12"}, Since: "9.0"})
	err := p.Available()
	if err == nil {
		t.Fatal("found")
	}
	for _, want := range []string{"cuNone not found; install", "libnone-13-0", "LD_LIBRARY_PATH", "libcunone.so.13, libcunone.so.12, libcunone.so, /usr/local/cuda"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestResults(t *testing.T) {
	r := Results{OutOfMemory: 2, Names: map[int32]string{2: "ALLOC_FAILED", 3: "INVALID"}}
	if err := r.Check("call", 0); err != nil {
		t.Error(err)
	}
	if err := r.Check("call", 2); !errors.Is(err, gpu.ErrOutOfMemory) || !strings.HasPrefix(err.Error(), "call: ALLOC_FAILED") {
		t.Errorf("out of memory is %v", err)
	}
	for code, want := range map[int32]string{3: "call: INVALID", 7: "call: error 7"} {
		if err := r.Check("call", code); err == nil || err.Error() != want || errors.Is(err, gpu.ErrOutOfMemory) {
			t.Errorf("%d is %v, want %s", code, err, want)
		}
	}
}
