package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The files of the project are those that this program writes.
func TestFilesAreCurrent(t *testing.T) {
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is not what example.org/bench/lab/neon writes: run lab/run neon", name)
		}
	}
}

// A block's values keep their registers until their last use, whatever the order:
// here all values but the last are alive at once.
func TestRegistersAreNotShared(t *testing.T) {
	b := newBlock(s4)
	kept := b.in(31)
	var x []value
	for range 30 {
		x = append(x, b.load("(R0)"))
	}
	sum := x[0]
	for _, v := range x[1:] {
		sum = b.fma(sum, v, kept)
	}
	b.store(sum, "R1")
	loaded := regexp.MustCompile(`^FMOVQ \(R0\), F(\d+)$`)
	holds := map[string]bool{}
	used := regexp.MustCompile(`^VFMLA V31\.S4, V(\d+)\.S4`)
	for _, line := range b.lines() {
		if m := loaded.FindStringSubmatch(line); m != nil {
			if holds[m[1]] || m[1] == "31" {
				t.Errorf("%s overwrites what is still needed", line)
			}
			holds[m[1]] = true
		} else if m := used.FindStringSubmatch(line); m != nil {
			if !holds[m[1]] {
				t.Errorf("%s reads what nothing wrote", line)
			}
			delete(holds, m[1])
		}
	}
	if len(holds) != 1 { // the accumulator
		t.Errorf("registers %v are left", holds)
	}
}

func TestTooManyValues(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "out of registers") {
			t.Errorf("recovered %v", r)
		}
	}()
	b := newBlock(s4)
	for r := range 32 {
		b.in(r)
	}
	b.load("(R0)")
	b.lines()
}

// Using an accumulator after something took its place is a mistake of the
// generator.
func TestAccumulatorsAreUsedOnce(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("accepted")
		}
	}()
	b := newBlock(s4)
	x, y := b.load("(R0)"), b.load("(R1)")
	b.store(b.fma(x, y, y), "R2")
	b.store(x, "R3")
	b.lines()
}
