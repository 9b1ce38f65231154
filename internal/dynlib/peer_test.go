package dynlib

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type twice struct {
	twice   func(int32) int32 `symbol:"thrice twice"`
	address uintptr           `symbol:"twice"`
	thrice  func(int32) int32 `symbol:"thrice" optional:""`
	lib     *Library
}

func TestBindAll(t *testing.T) {
	l, err := Open(library(t))
	if err != nil {
		t.Fatal(err)
	}
	var f twice
	if err := l.BindAll(&f); err != nil {
		t.Fatal(err)
	}
	if f.twice(21) != 42 || f.address == 0 || f.thrice != nil || f.lib != l {
		t.Errorf("bound %+v", f)
	}
	var missing struct {
		_ func() `symbol:"none nothing"`
	}
	if err := l.BindAll(&missing); err == nil || !strings.HasSuffix(err.Error(), "has no symbol none or nothing") {
		t.Errorf("error %v", err)
	}
}

func TestPeerExplainsItsAbsence(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "libnone.so")
	p := &Peer[twice]{Name: "Twice", Files: []string{absent}, Install: "get it", Release: "a later one has it"}
	if err := p.Available(); err == nil || err.Error() != "Twice not found; get it: not found: "+absent {
		t.Errorf("an absent library is %v", err)
	}
	if _, err := p.Functions(); err == nil || err.Error() != p.Available().Error() {
		t.Errorf("asked again: %v", err)
	}
	other := &Peer[struct {
		_ func() `symbol:"none"`
	}]{Name: "Twice", Release: "a later one has it"}
	if _, err := other.Open(library(t)); err == nil || !strings.HasSuffix(err.Error(), "has no symbol none; a later one has it") {
		t.Errorf("a library without a symbol is %v", err)
	}
}

func TestPeerIsLoadedOnce(t *testing.T) {
	starts := 0
	p := &Peer[twice]{Name: "Twice", Files: []string{library(t)}, Start: func(*twice) error {
		starts++
		return nil
	}}
	for range 2 {
		f, err := p.Functions()
		if err != nil {
			t.Fatal(err)
		}
		if f.twice(4) != 8 {
			t.Errorf("functions %+v", f)
		}
	}
	if starts != 1 {
		t.Errorf("started %d times", starts)
	}
	p.Start = func(*twice) error { return errors.New("does not start") }
	if _, err := p.Open(library(t)); err == nil || err.Error() != "Twice: does not start" {
		t.Errorf("error %v", err)
	}
}

// A library that cannot be loaded, as with too many open files, is loaded when asked
// again; one that does not start is not started again.
func TestPeerIsLookedForAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "libtwice.so")
	starts := 0
	p := &Peer[twice]{Name: "Twice", Files: []string{file}, Start: func(*twice) error {
		if starts++; starts == 1 {
			return nil
		}
		return errors.New("does not start")
	}}
	if err := p.Available(); err == nil {
		t.Fatal("loaded what is not there")
	}
	if err := os.Rename(library(t), file); err != nil {
		t.Fatal(err)
	}
	if err := p.Available(); err != nil {
		t.Error(err)
	}
	bad := &Peer[twice]{Name: "Twice", Files: p.Files, Start: p.Start}
	for range 2 {
		if err := bad.Available(); err == nil || starts != 2 {
			t.Errorf("%v after %d starts", err, starts)
		}
	}
}
