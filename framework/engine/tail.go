package engine

import (
	"strings"
	"sync"
)

// tail keeps the first and last kilobytes of what the worker wrote: a Go crash
// gives its cause first, a C library last.
type tail struct {
	mu          sync.Mutex
	first, last []byte
}

const tailBytes = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := tailBytes - len(t.first); room > 0 {
		t.first = append(t.first, b[:min(room, len(b))]...)
	}
	t.last = append(t.last, b...)
	if len(t.last) > 2*tailBytes {
		t.last = append(t.last[:0], t.last[len(t.last)-tailBytes:]...)
	}
	return len(b), nil
}

// reason is the line that explains a death: Go's own crash line if there is
// one, else the last line written.
func (t *tail) reason() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range strings.Split(string(t.first), "\n") {
		for _, crash := range []string{"SIGSEGV", "SIGBUS", "fatal error:", "unexpected fault"} {
			if strings.Contains(l, crash) {
				return strings.TrimSpace(l)
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(string(t.last)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
