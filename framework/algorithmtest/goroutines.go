package algorithmtest

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Goroutines of this process, each by what its stack trace begins with. Those that were there
// before a test may end during it, so that their number says nothing.
type Goroutines map[string]bool

// Running returns the goroutines that there are.
func Running() Goroutines {
	text := make([]byte, 1<<16)
	for n := len(text); n == len(text); {
		text = make([]byte, 2*len(text))
		n = runtime.Stack(text, true)
	}
	all := Goroutines{}
	for line := range strings.Lines(string(text)) {
		if id, _, ok := strings.Cut(line, " ["); ok && strings.HasPrefix(id, "goroutine ") {
			all[id] = true
		}
	}
	return all
}

// Since returns how many there are that were not there before.
func (before Goroutines) Since() int {
	n := 0
	for id := range Running() {
		if !before[id] {
			n++
		}
	}
	return n
}

// Left waits until every goroutine that was not there before has ended; its error says how many
// are left after a thousand looks, which take longer on a busy machine.
func (before Goroutines) Left() error {
	n := before.Since()
	for range 1000 {
		if n == 0 {
			return nil
		}
		time.Sleep(time.Millisecond)
		n = before.Since()
	}
	return fmt.Errorf("%d goroutines are left", n)
}
