package expression

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Every function of the language is one of conditions over intervals, too.
func TestCalls(t *testing.T) {
	for _, name := range functions {
		if _, ok := calls[name]; !ok {
			t.Errorf("%s is no call of a condition", name)
		}
	}
	for _, o := range operators {
		if _, err := Parse("A " + o + " [1]"); o == "in" && err != nil {
			t.Error(err)
		} else if _, err := Parse("A " + o + " 1"); o != "in" && err != nil {
			t.Error(err)
		}
	}
}

// generate writes a random expression of the language, a condition or a number, of a limited depth.
func generate(r *rand.Rand, condition bool, depth int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func() string { return generate(r, false, depth-1) }
	if condition {
		if depth > 1 && r.IntN(3) == 0 {
			return pick("not (%s)", "(%s) and (%s)", "(%s) or (%s)")
		}
		if r.IntN(8) == 0 {
			return fmt.Sprintf("%s in [1, 4, %d]", number(), r.IntN(9))
		}
		if r.IntN(8) == 0 {
			return fmt.Sprintf("(%s) %s (%s) %s (%s)", number(), pick("<", "<="), number(), pick("<", "<="), number())
		}
		if r.IntN(8) == 0 {
			return "W " + pick("==", "!=") + " " + pick("'row'", "'column'")
		}
		return fmt.Sprintf("(%s) %s (%s)", number(), pick("==", "!=", "<", "<=", ">", ">="), number())
	}
	if depth <= 0 || r.IntN(4) == 0 {
		return pick("A", "B", "C", "F", "device.warp_size", "0", "1", "2", "3", "7", "0.5", "4611686018427387904", fmt.Sprint(r.IntN(4096)))
	}
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("%s(%s)", pick("abs", "ceil", "floor", "round", "log2"), number())
	case 1:
		return fmt.Sprintf("%s(%s, %s)", pick("min", "max", "ceildiv"), number(), number())
	case 2:
		return fmt.Sprintf("(%s < %s ? %s : %s)", number(), number(), number(), number())
	case 3:
		return "-(" + number() + ")"
	}
	return fmt.Sprintf("(%s) %s (%s)", number(), pick("+", "-", "*", "/", "%", "**"), number())
}

// expand replaces what generate left open.
func expand(r *rand.Rand, text string) string {
	for strings.Contains(text, "%s") {
		text = strings.Replace(text, "%s", generate(r, true, 1), 1)
	}
	return text
}

// A condition that a search asks says what the same text says in any other key, at every point: with whole numbers of 64
// bits, and false where it fails. No interval excludes a point at which it holds.
func TestOneLanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	names := []string{"A", "B", "C", "F"}
	words := []string{"row", "column"}
	variable := func(name string) (Variable, bool) {
		switch {
		case name == "W":
			return Variable{Slot: 4, Labels: words}, true
		case name == "device.warp_size":
			return Variable{Slot: -1, Value: 32}, true
		}
		at := slices.Index(names, name)
		return Variable{Slot: at, Fraction: name == "F"}, at >= 0
	}
	held, failed, beyond := 0, 0, 0
	for range 1500 {
		text := expand(r, generate(r, true, 3))
		scope := Scope{"A": 1, "B": 1, "C": 1, "F": 0.5, "W": "row", Device: facts{WarpSize: 32}}
		p, err := Compile(text, scope)
		if err != nil {
			continue // such as 1 in a place of words
		}
		e, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b, err := e.Bind(variable)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		box := make([]Interval, 5)
		var points [][]float64
		for range 12 {
			v := []float64{float64(r.IntN(9)), float64(r.IntN(2048)), float64(int64(1) << r.IntN(40)), float64(r.IntN(9)) / 4, float64(r.IntN(2))}
			for i, x := range v {
				if len(points) == 0 {
					box[i] = Interval{Low: x, High: x}
				}
				box[i] = Interval{Low: min(x, box[i].Low), High: max(x, box[i].High)}
			}
			points = append(points, v)
		}
		settled, err := e.Bind(variable)
		if err != nil {
			t.Fatal(err)
		}
		settled.Settle(box)
		for _, v := range points {
			scope["A"], scope["B"], scope["C"], scope["F"], scope["W"] = int(v[0]), int(v[1]), int(v[2]), v[3], words[int(v[4])]
			got, err := p.Run(scope)
			want, _ := got.(bool)
			if err != nil {
				want = false
				failed++
			}
			if x := b.Eval(v); x != x && err == nil {
				beyond++
			}
			if want {
				held++
			}
			if b.Holds(v) != want {
				t.Fatalf("%s at %v: a search has %v, other keys %v, %v", text, v, b.Holds(v), got, err)
			}
			if settled.Holds(v) != want {
				t.Fatalf("%s at %v: after Settle over %v a search has %v, other keys %v, %v", text, v, box, !want, got, err)
			}
			if want && b.Excludes(box) {
				t.Fatalf("%s holds at %v, and is excluded over %v", text, v, box)
			}
		}
	}
	if held < 1500 || failed < 150 || beyond < 15 {
		t.Errorf("%d held, %d failed, %d were beyond floats: too few to tell", held, failed, beyond)
	}
}
