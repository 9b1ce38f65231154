// Package mismatch describes wrong answers: how many elements are wrong, where, and what would be right, in
// words, as .npy files and as a map for a picture.
package mismatch

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

// Mismatch is how an answer differs from the right one.
type Mismatch struct {
	framework.Answer
	Elements int
	Wrong    int // elements that are
	Never    int // elements that no run writes
	first    int // the first wrong element, -1 for none
	worst    int // the one with the largest error of those that were written; -1: there is none
	largest  float64

	got, want numbers
	unwritten []bool // nil: unknown
}

// Of compares an answer element by element. unwritten says which elements of the
// output no run writes; nil: that is unknown.
func Of(a framework.Answer, unwritten []bool) (*Mismatch, error) {
	m := &Mismatch{Answer: a, first: -1, worst: -1, unwritten: unwritten}
	var err, bad error
	m.got, err = read(a.Got)
	m.want, bad = read(a.Want)
	if err := errors.Join(err, bad); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	m.Elements = m.got.elements()
	if n := m.want.elements(); n != m.Elements || m.got.per != m.want.per {
		return nil, fmt.Errorf("%s: an answer of %d elements of %s and a right one of %d of %s", a.Name, m.Elements, a.Got.Type, n, a.Want.Type)
	}
	for _, never := range unwritten {
		if never {
			m.Never++
		}
	}
	for i := range m.Elements {
		d, state := m.At(i)
		if state != Right {
			m.Wrong++
			if m.first < 0 {
				m.first = i
			}
		}
		if state != Unwritten && d != 0 && (m.worst < 0 || math.IsNaN(d) && !math.IsNaN(m.largest) || d > m.largest) {
			m.worst, m.largest = i, d
		}
	}
	return m, nil
}

// State is what is wrong with an element.
type State int

// The states of an element.
const (
	Right   State = iota
	Written       // and wrong
	Unwritten
)

// At is element i's distance to the right one, and its state.
func (m *Mismatch) At(i int) (deviation float64, s State) {
	d := distance(m.got, m.want, i)
	wrong := false
	if m.Most == nil {
		wrong = !bytes.Equal(m.got.element(i), m.want.element(i))
	} else {
		wrong = !(d <= m.Most(i))
	}
	switch {
	case !wrong:
		return d, Right
	case i < len(m.unwritten) && m.unwritten[i] && m.Output.Type == "":
		return d, Unwritten
	}
	return d, Written
}

// String is the mismatch in words: "137 of 2145 elements wrong, 96 never written;
// first dst[33] (row 1, col 0): got 0.52, want -0.13; largest error at …".
func (m *Mismatch) String() string {
	var parts []string
	if m.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s wrong", m.Wrong, terminal.Count(m.Elements, "element")))
	} else {
		parts = append(parts, "no element is wrong by itself")
	}
	switch {
	case m.Never > 0 && m.Output.Type != "":
		parts = append(parts, fmt.Sprintf("%d of %s of the output never written", m.Never, terminal.Count(len(m.unwritten), "element")))
	case m.Never > 0:
		parts = append(parts, fmt.Sprintf("%d never written", m.Never))
	}
	text := strings.Join(parts, ", ")
	if m.first >= 0 {
		text += "; first " + m.one(m.first)
	}
	if m.worst >= 0 && m.worst != m.first {
		text += "; largest error at " + m.one(m.worst)
	}
	return text
}

// one describes an element.
func (m *Mismatch) one(i int) string {
	return fmt.Sprintf("%s[%d]%s: got %s, want %s", m.Name, i, m.place(i), m.got.text(i), m.want.text(i))
}

// place is where element i is in an array of several dimensions.
func (m *Mismatch) place(i int) string {
	if len(m.Shape) < 2 || m.extent() != m.Elements {
		return ""
	}
	at := make([]string, len(m.Shape))
	for k, n := range slices.Backward(m.Shape) {
		at[k] = fmt.Sprint(i % int(n))
		i /= int(n)
	}
	if len(at) == 2 {
		return fmt.Sprintf(" (row %s, col %s)", at[0], at[1])
	}
	return " (at " + strings.Join(at, ", ") + ")"
}

// extent is how many elements the shape has.
func (m *Mismatch) extent() int {
	n := 1
	for _, x := range m.Shape {
		n *= int(x)
	}
	return n
}

// NeverWritten are the elements of an output that no run writes: those that two runs
// left as they had been filled, each with another byte.
func NeverWritten(one framework.Array, first byte, two framework.Array, second byte) []bool {
	n, err := read(one)
	if err != nil || len(one.Bytes) != len(two.Bytes) {
		return nil
	}
	size := n.width * n.per
	before, after := bytes.Repeat([]byte{first}, size), bytes.Repeat([]byte{second}, size)
	list := make([]bool, n.elements())
	for i := range list {
		list[i] = bytes.Equal(one.Bytes[i*size:(i+1)*size], before) && bytes.Equal(two.Bytes[i*size:(i+1)*size], after)
	}
	return list
}
