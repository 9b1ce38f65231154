package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Line is a line at the bottom of a terminal that is redrawn four times a second. Elsewhere, and on a
// terminal that does not obey escape sequences, it shows nothing. Its mutex guards what text reads.
type Line struct {
	sync.Mutex
	out   io.Writer
	width int           // of the terminal; 0 where out is none
	text  func() string // returns an empty string while there is no line
	stop  chan struct{}
}

// Start begins to redraw the line if out is a terminal. It calls text with the mutex held.
func (l *Line) Start(out io.Writer, text func() string) {
	l.out, l.text, l.stop = out, text, make(chan struct{})
	if w := Width(out); obeying(out) != nil && w > 20 {
		l.width = w
		go l.refresh()
	}
}

func (l *Line) refresh() {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-tick.C:
			l.Lock()
			l.Draw()
			l.Unlock()
		}
	}
}

// Live reports whether there is such a line. The caller holds the mutex.
func (l *Line) Live() bool { return l.width > 0 }

// Close removes the line for good.
func (l *Line) Close() {
	l.Lock()
	defer l.Unlock()
	close(l.stop)
	l.clear()
	l.width = 0
}

// Print prints a lasting line above. The caller holds the mutex.
func (l *Line) Print(format string, args ...any) {
	l.clear()
	fmt.Fprintf(l.out, format+"\n", args...)
}

func (l *Line) clear() {
	if l.width > 0 {
		control(l.out, "\r\x1b[K")
	}
}

// Draw redraws the line. The caller holds the mutex.
func (l *Line) Draw() {
	if l.width == 0 {
		return
	}
	line := l.text()
	if line == "" {
		return
	}
	line = OneLine(printable(line, false, &commands{}))
	if r := []rune(line); len(r) >= l.width {
		line = string(r[:l.width-1])
	}
	l.clear()
	fmt.Fprint(l.out, line)
}
