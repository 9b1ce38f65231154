package engine

import (
	"regexp"
	"strings"
	"sync"

	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
)

// tail keeps the first and last kilobytes of a worker's output: a Go crash states its cause first,
// a C library last.
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

// crashed and ownCrash match lines with which Go's runtime begins to report a crash. A library may
// write the former, too, so it counts in the first kilobytes alone.
var (
	crashed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`SIGSEGV|SIGBUS|fatal error:|unexpected fault|` + ownCrash().String())
	})
	ownCrash = lazy.Regexp(`^(panic|runtime|fakecgo|SIG[A-Z]+): `)
)

// aborted is the runtime's line if a C library ends the process, after the library's own message.
const aborted = "SIGABRT: abort"

// reason returns the line that explains a death: the first line of a crash, or that of the C
// library that asked for it, or else the last line written.
func (t *tail) reason() string { return terminal.OneLine(t.explaining()) }

func (t *tail) explaining() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := ""
	for i, crash := range []*regexp.Regexp{crashed(), ownCrash()} {
		last = ""
		for l := range strings.Lines(string([][]byte{t.first, t.last}[i])) {
			l = strings.TrimSpace(l)
			switch {
			case l == "":
			case strings.HasPrefix(l, aborted) && last != "":
				return last
			case crash.MatchString(l):
				return l
			default:
				last = l
			}
		}
	}
	return last
}

// text returns what was kept.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.first) < tailBytes {
		return string(t.first)
	}
	return string(t.first) + "\n…\n" + string(t.last)
}
