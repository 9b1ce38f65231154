package plots

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
	"example.org/bench/internal/safefile/safefiletest"
)

// A cell is drawn as the worst of its elements, and the picture is a PNG file.
func TestWrongMap(t *testing.T) {
	const rows, columns = 1000, 640
	want, got := make([]float32, rows*columns), make([]float32, rows*columns)
	unwritten := make([]bool, len(got))
	got[0], got[1] = 1, 100                                      // one cell
	got[columns-1] = float32(math.NaN())                         // the first row's last cell
	got[(rows-1)*columns], unwritten[(rows-1)*columns] = 3, true // the last row's first
	m, err := mismatch.Of(framework.Answer{Name: "y", Shape: []int64{rows, columns}, Got: framework.ArrayOf(got), Want: framework.ArrayOf(want), Most: framework.Evenly(0.5)}, unwritten)
	if err != nil {
		t.Fatal(err)
	}
	w := newWrongMap(m)
	last := len(w.cells) - 1
	if w.cells[0][0] != (wrongCell{writtenKind, 100}) || w.cells[0][len(w.cells[0])-1].kind != boundlessKind || w.cells[last][0].kind != unwrittenKind || w.cells[1][1].kind != rightKind {
		t.Errorf("cells %v %v %v %v", w.cells[0][0], w.cells[0][len(w.cells[0])-1], w.cells[last][0], w.cells[1][1])
	}
	if w.least != 1 || w.most != 100 || w.share(10) != 0.5 || len(w.legend()) != 6 {
		t.Errorf("errors from %g to %g, 10 at %g, %d entries", w.least, w.most, w.share(10), len(w.legend()))
	}
	path := filepath.Join(t.TempDir(), "y.png")
	if err := Mismatch(safefiletest.Hold(t, filepath.Dir(path)), filepath.Base(path), "a title", m); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}

// One wrong element, and none, have a map too.
func TestWrongMapOfLittle(t *testing.T) {
	for _, got := range [][]float32{{0}, {5}, {0, 0, 0, 5, 0}, {}} {
		m, err := mismatch.Of(framework.Answer{Name: "y", Got: framework.ArrayOf(got), Want: framework.ArrayOf(make([]float32, len(got))), Most: framework.Evenly(0.5)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Mismatch(safefiletest.Hold(t, t.TempDir()), "y.png", "a title", m); err != nil {
			t.Errorf("%v: %v", got, err)
		}
	}
}
