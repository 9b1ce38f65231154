package safefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slow is content that is written until told.
type slow struct{ begun, ready chan struct{} }

func (s slow) WriteTo(w io.Writer) (int64, error) {
	close(s.begun)
	<-s.ready
	n, err := io.WriteString(w, "whole")
	return int64(n), err
}

// TestSettle: the end of a process waits for the file that is being written, not for ever, and lets nothing begin after it.
func TestSettle(t *testing.T) {
	defer func() { writes.ended = false }()
	path := t.TempDir()
	dir, err := OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	s := slow{make(chan struct{}), make(chan struct{})}
	written := make(chan error, 1)
	go func() { written <- dir.Write("a", s) }()
	<-s.begun
	ended := make(chan struct{})
	go func() {
		settle(time.Hour)
		close(ended)
	}()
	select {
	case <-ended:
		t.Fatal("it ended while a file was half written")
	case <-time.After(20 * time.Millisecond):
	}
	close(s.ready)
	<-ended
	if err := <-written; err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(path, "a")); err != nil || string(text) != "whole" {
		t.Errorf("%q, %v", text, err)
	}
	if err := dir.Write("b", strings.NewReader("late")); !errors.Is(err, ErrEnding) {
		t.Errorf("after the end: %v", err)
	}
	if entries, _ := os.ReadDir(path); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
	writes.ended = false
	blocked := slow{make(chan struct{}), make(chan struct{})}
	go func() { written <- dir.Write("c", blocked) }()
	<-blocked.begun
	settle(time.Millisecond) // returns although that does not end
	close(blocked.ready)
	<-written
	for { // until the lock that settle left waiting has come and gone
		writes.RLock()
		done := writes.ended
		writes.RUnlock()
		if done {
			break
		}
		time.Sleep(time.Millisecond)
	}
}
