package mismatch_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
	"example.org/bench/internal/npy"
	"example.org/bench/internal/safefile"
)

func of(t *testing.T, a framework.Answer, unwritten []bool) *mismatch.Mismatch {
	t.Helper()
	m, err := mismatch.Of(a, unwritten)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWords(t *testing.T) {
	array := func(list ...float32) framework.Array { return framework.ArrayOf(list) }
	nan := float32(math.NaN())
	want := framework.ArrayOf([]float64{1, 2, 3, 4, 5, 6})
	for _, c := range []struct {
		got       framework.Array
		shape     []int64
		most      float64
		unwritten []bool
		text      string
	}{
		{array(1, 2, 3, 4, 5, 6), nil, 0, nil, "no element is wrong by itself"},
		{array(1, 2, 3.5, 4, 5, 6.25), nil, 1, nil, "no element is wrong by itself; largest error at x[2]: got 3.5, want 3"},
		{array(1, 2, 3.5, 4, 5, 16), []int64{2, 3}, 0.1, nil, "2 of 6 elements wrong; first x[2] (row 0, col 2): got 3.5, want 3; largest error at x[5] (row 1, col 2): got 16, want 6"},
		{array(1, 2, 3, 4, 9, 6), []int64{2, 3, 1}, 0.1, nil, "1 of 6 elements wrong; first x[4] (at 1, 1, 0): got 9, want 5"},
		{array(1, 2, 3, 4, 9, 6), []int64{2, 2}, 0.1, nil, "1 of 6 elements wrong; first x[4]: got 9, want 5"}, // not its shape
		{array(1, nan, 3, 40, 5, nan), []int64{6}, 0.1, []bool{false, true, false, false, false, false},
			"3 of 6 elements wrong, 1 never written; first x[1]: got NaN, want 2; largest error at x[5]: got NaN, want 6"},
	} {
		m := of(t, framework.Answer{Name: "x", Shape: c.shape, Got: c.got, Want: want, Most: framework.Evenly(c.most)}, c.unwritten)
		if m.String() != c.text {
			t.Errorf("got  %s\nwant %s", m, c.text)
		}
	}
	// Of equal errors the first is named; the largest may be right, where more is allowed.
	for _, c := range []struct {
		got  framework.Array
		most func(int) float64
		text string
	}{
		{array(2, 2, 3, 4, 5.5, 6), framework.Evenly(0), "2 of 6 elements wrong; first x[0]: got 2, want 1"},
		{array(2, 5, 6, 4, 2, 6), framework.Evenly(0), "4 of 6 elements wrong; first x[0]: got 2, want 1; largest error at x[1]: got 5, want 2"},
		{array(9, 2, 3, 5, 5, 6), func(i int) float64 { return float64(8 - 8*min(i, 1)) }, "1 of 6 elements wrong; first x[3]: got 5, want 4; largest error at x[0]: got 9, want 1"},
	} {
		m := of(t, framework.Answer{Name: "x", Got: c.got, Want: want, Most: c.most}, nil)
		if m.String() != c.text {
			t.Errorf("got  %s\nwant %s", m, c.text)
		}
	}
	// Whole numbers are compared by their bytes: beyond 2^53 two are the same double.
	number := func(last byte) framework.Array {
		return framework.Array{Type: "<u8", Lanes: 1, Bytes: []byte{last, 0, 0, 0, 0, 0, 0, 0x10}}
	}
	m := of(t, framework.Answer{Name: "x", Got: number(1), Want: number(0)}, nil)
	if got := m.String(); got != "1 of 1 element wrong; first x[0]: got 1152921504606846977, want 1152921504606846976" {
		t.Error(got)
	}
	// What is compared of an output is fewer numbers than it has.
	m = of(t, framework.Answer{Name: "x", Got: array(1), Want: framework.ArrayOf([]float64{3}), Most: framework.Evenly(0), Output: array(1, 2, 3)}, []bool{false, true, true})
	if got := m.String(); got != "1 of 1 element wrong, 2 of 3 elements of the output never written; first x[0]: got 1, want 3" {
		t.Error(got)
	}
}

// TestTypes: the second of two elements is shown as the number, or the numbers, that NumPy
// reads there, and its distance is theirs.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		kind      string
		lanes     int
		got, want []byte
		text      string
		apart     float64
	}{
		{"|i1", 1, []byte{5, 0xff}, []byte{5, 1}, "got -1, want 1", 2},
		{"|u1", 1, []byte{5, 0xff}, []byte{5, 1}, "got 255, want 1", 254},
		{"|b1", 1, []byte{1, 0}, []byte{1, 1}, "got 0, want 1", 1},
		{"<i2", 1, []byte{5, 0, 0xfe, 0xff}, []byte{5, 0, 0, 1}, "got -2, want 256", 258},
		{"<u4", 1, []byte{5, 0, 0, 0, 1, 2, 0, 0}, []byte{5, 0, 0, 0, 0, 0, 1, 0}, "got 513, want 65536", 65023},
		{"<f2", 1, []byte{0, 0, 0, 0x3c}, []byte{0, 0, 0, 0xc0}, "got 1, want -2", 3},
		{"<V2", 1, []byte{0, 0, 0x80, 0x3f}, []byte{0, 0, 0, 0xc0}, "got 1, want -2", 3},
		{"<i1", 3, []byte{5, 5, 5, 1, 2, 3}, []byte{5, 5, 5, 1, 9, 5}, "got (1, 2, 3), want (1, 9, 5)", 7},
	} {
		got := framework.Array{Type: c.kind, Lanes: c.lanes, Bytes: c.got}
		m := of(t, framework.Answer{Name: "x", Got: got, Want: framework.Array{Type: c.kind, Lanes: c.lanes, Bytes: c.want}}, nil)
		if want := "1 of 2 elements wrong; first x[1]: " + c.text; m.String() != want {
			t.Errorf("%s: %s, want %s", c.kind, m, want)
		}
		if d, _ := m.At(1); d != c.apart {
			t.Errorf("%s: %v apart, want %v", c.kind, d, c.apart)
		}
	}
	// Vectors of complex numbers have parts of parts; the distance of each number counts.
	pair := func(parts ...float32) framework.Array {
		a := framework.ArrayOf(parts)
		a.Type, a.Lanes = "<c8", 2
		return a
	}
	m := of(t, framework.Answer{Name: "x", Got: pair(1, 2, 3, 4, 5, 6, 7, 8), Want: pair(1, 2, 3, 4, 5, 6, 10, 4), Most: framework.Evenly(4.9)}, nil)
	if d, _ := m.At(1); d != 5 || m.String() != "1 of 2 elements wrong; first x[1]: got (5, 6, 7, 8), want (5, 6, 10, 4)" {
		t.Errorf("%v apart: %s", d, m)
	}
}

func TestRefusals(t *testing.T) {
	one := framework.ArrayOf([]float32{1})
	for text, a := range map[string]framework.Answer{
		`elements of the type ">f4"`:        {Got: framework.Array{Type: ">f4", Bytes: make([]byte, 4)}, Want: one},
		`elements of the type "<U4"`:        {Got: one, Want: framework.Array{Type: "<U4", Bytes: make([]byte, 4)}},
		"an answer of 1 elements of <f4":    {Got: one, Want: framework.ArrayOf([]float32{1, 2})},
		`elements of the type "", which is`: {Want: one},
	} {
		if _, err := mismatch.Of(a, nil); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v; want %s", err, text)
		}
	}
}

// Two runs that left other bytes of an element did write it, whatever one of them held.
func TestNeverWritten(t *testing.T) {
	one := framework.Array{Type: "<i2", Lanes: 2, Bytes: []byte{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7}}
	two := framework.Array{Type: "<i2", Lanes: 2, Bytes: []byte{9, 9, 9, 9, 7, 7, 7, 7, 9, 9, 9, 9, 9, 9, 9, 9}}
	if got := mismatch.NeverWritten(one, 7, two, 9); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Error(got)
	}
}

func TestDump(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	drawn := ""
	m := of(t, framework.Answer{Name: "x", Shape: []int64{2, 2}, Got: framework.ArrayOf([]complex64{1, 2, 3, 4}), Want: framework.ArrayOf([]complex128{1, 2, 3, 5}), Most: framework.Evenly(0)}, nil)
	path, err := m.Dump(folder, "mine/v1@sim N=3 "+strings.Repeat("long", 100), func(dir *safefile.Folder, name, title string, of *mismatch.Mismatch) error {
		drawn = dir.Path(name)
		if of != m || !strings.HasSuffix(title, ": x") {
			t.Errorf("a picture of %v: %s", of, title)
		}
		return nil
	})
	if err != nil || filepath.Dir(path) != folder || !strings.HasPrefix(filepath.Base(path), "mine-v1-sim-N=3-long") || drawn != path+".png" {
		t.Fatalf("%s, %s, %v", path, drawn, err)
	}
	for ending, kind := range map[string]string{".got.npy": "<c8", ".want.npy": "<c16"} {
		text, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		h, start, err := npy.ReadHeader(bytes.NewReader(text))
		if err != nil || h.Type != kind || !slices.Equal(h.Shape, []int64{2, 2}) {
			t.Errorf("%s: %+v, %v", ending, h, err)
		}
		a := map[string]framework.Array{".got.npy": m.Got, ".want.npy": m.Want}[ending]
		if !bytes.Equal(text[start:], a.Bytes) {
			t.Errorf("%s: other elements", ending)
		}
	}
}

// TestShapeOfFiles is that of the answer, with an axis more for vectors; where the answer
// says none, a list.
func TestShapeOfFiles(t *testing.T) {
	for _, c := range []struct {
		numbers, lanes int
		shape, want    []int64
	}{
		{1, 1, nil, []int64{1}},
		{6, 1, nil, []int64{6}},
		{6, 1, []int64{3, 2}, []int64{3, 2}},
		{6, 1, []int64{3, 3}, []int64{6}},
		{6, 2, []int64{3}, []int64{3, 2}},
	} {
		a := framework.ArrayOf(make([]float32, c.numbers))
		a.Lanes = c.lanes
		path, err := of(t, framework.Answer{Name: "x", Shape: c.shape, Got: a, Want: a}, nil).Dump(t.TempDir(), "point", nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path + ".got.npy")
		if err != nil {
			t.Fatal(err)
		}
		if h, _, err := npy.ReadHeader(bytes.NewReader(text)); err != nil || !slices.Equal(h.Shape, c.want) {
			t.Errorf("%d numbers of %v: %v, want %v; %v", c.numbers, c.shape, h.Shape, c.want, err)
		}
	}
}

// The rows and columns of a picture hold every element.
func TestGrid(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 1}, 20: {1, 20}, 100: {4, 32}, 2048: {64, 32}, 2049: {33, 64}, 5000: {79, 64}} {
		m := of(t, framework.Answer{Got: framework.ArrayOf(make([]float32, n)), Want: framework.ArrayOf(make([]float32, n))}, nil)
		if rows, columns := m.Grid(); rows != want[0] || columns != want[1] {
			t.Errorf("%d elements: %d × %d", n, rows, columns)
		}
	}
	m := of(t, framework.Answer{Shape: []int64{100}, Got: framework.ArrayOf(make([]float32, 100)), Want: framework.ArrayOf(make([]float32, 100))}, nil)
	if rows, columns := m.Grid(); rows != 4 || columns != 32 {
		t.Errorf("%d × %d of one extent", rows, columns)
	}
	m = of(t, framework.Answer{Shape: []int64{2, 3, 4}, Got: framework.ArrayOf(make([]float32, 24)), Want: framework.ArrayOf(make([]float32, 24))}, nil)
	if rows, columns := m.Grid(); rows != 6 || columns != 4 {
		t.Errorf("%d × %d", rows, columns)
	}
}
