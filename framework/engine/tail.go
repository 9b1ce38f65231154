package engine

import (
	"regexp"
	"strings"
	"sync"

	"bench/terminal"
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

// crashed and ownCrash are lines by which Go's runtime begins to tell of a crash. A
// library may say the words of the first, too, which count in the first kilobytes alone.
var (
	crashed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`SIGSEGV|SIGBUS|fatal error:|unexpected fault|` + ownCrash().String())
	})
	ownCrash = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(panic|runtime|fakecgo|SIG[A-Z]+): `) })
)

// aborted is what it says where a C library ends the process, which has said why before.
const aborted = "SIGABRT: abort"

// reason is the line that explains a death: where there was a crash, its first line or
// that of the C library that asked for it, else the last line written.
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

// text is what is kept.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.first) < tailBytes {
		return string(t.first)
	}
	return string(t.first) + "\n…\n" + string(t.last)
}
