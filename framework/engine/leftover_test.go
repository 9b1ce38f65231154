package engine

import (
	"io"
	"os"
	"testing"
)

// What was written before the end is read after it, and nobody waits for more.
func TestLeftover(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	l := leftoverOf(r)
	defer l.Close()
	if _, err := w.WriteString("the last answer\n"); err != nil {
		t.Fatal(err)
	}
	l.Ended()
	if got, err := io.ReadAll(l); err != nil || string(got) != "the last answer\n" {
		t.Errorf("read %q, %v", got, err)
	}
}

// A flood ends.
func TestLeftoverOfAFlood(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l := leftoverOf(r)
	go func() {
		defer w.Close()
		for line := make([]byte, 4096); ; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}()
	l.Ended()
	n, err := io.Copy(io.Discard, l)
	if err != nil || n > pipeBytes {
		t.Errorf("read %d bytes, %v", n, err)
	}
	l.Close()
}
