package tuning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/expression"
)

func parameter(name string, values ...float64) Parameter {
	return Parameter{Name: name, Values: values}
}

func upTo(name string, from, to, step float64) Parameter {
	p := Parameter{Name: name}
	for x := from; x <= to; x += step {
		p.Values = append(p.Values, x)
	}
	return p
}

func pythonConstraints(t testing.TB, texts ...string) []Constraint {
	t.Helper()
	var list []Constraint
	for _, s := range texts {
		c, err := ParsePythonConstraint(s)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// filtered is the space by definition: the product, filtered.
func filtered(t testing.TB, d Declaration) [][]uint16 {
	b := binding{d.Parameters, d.Constants, d.Words}
	bound, never, err := b.bind(d.Constraints)
	if err != nil {
		t.Fatal(err)
	}
	if never != "" {
		return nil
	}
	var rows [][]uint16
	row, values := make([]uint16, len(d.Parameters)), make([]float64, len(d.Parameters))
	var fill func(int)
	fill = func(s int) {
		if s == len(row) {
			if !slices.ContainsFunc(bound, func(c *expression.Bound) bool { return !c.Holds(values) }) && (d.Valid == nil || d.Valid(row)) {
				rows = append(rows, slices.Clone(row))
			}
			return
		}
		for i, x := range d.Parameters[s].Values {
			row[s], values[s] = uint16(i), x
			fill(s + 1)
		}
	}
	fill(0)
	return rows
}

// TestEnumerationIsTheFilteredProduct draws declarations at random.
func TestEnumerationIsTheFilteredProduct(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	texts := []string{"a * b <= 32", "a == 1 or b % 2 == 0", "c < a + b", "a * b * c % 8 == 0", "d in [1, 4] or a == b", "not (c == d)", "a / b >= 1 and c / d < 3",
		"(a if b > 2 else c) <= d", "a > 2", "b != 3 and b != 4", "-a % 3 == 1", "a ** b < 100", "n // a > 2", "kind == 'row' or a < 3", "min(a, b, c, d) == 2"}
	nonempty := 0
	for range 300 {
		d := Declaration{Constants: map[string]float64{"n": 16}, Words: map[string]string{"kind": []string{"row", "column"}[rnd.IntN(2)]}}
		for _, name := range []string{"a", "b", "c", "d"} {
			p := Parameter{Name: name}
			for i := range 1 + rnd.IntN(6) {
				p.Values = append(p.Values, float64(i+1))
			}
			rnd.Shuffle(len(p.Values), func(i, j int) { p.Values[i], p.Values[j] = p.Values[j], p.Values[i] })
			d.Parameters = append(d.Parameters, p)
		}
		var chosen []string
		for range rnd.IntN(4) {
			chosen = append(chosen, texts[rnd.IntN(len(texts))])
		}
		d.Constraints = pythonConstraints(t, chosen...)
		if rnd.IntN(3) == 0 {
			d.Valid = func(row []uint16) bool { return (row[0]+row[3])%2 == 0 }
		}
		s, err := d.Enumerate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := filtered(t, d)
		if s.Len() != len(want) {
			t.Fatalf("%v: %d points, want %d", chosen, s.Len(), len(want))
		}
		for i, row := range want {
			if !slices.Equal(s.Indexes(i), row) {
				t.Fatalf("%v: point %d is %v, want %v", chosen, i, s.Indexes(i), row)
			}
		}
		if s.Len() > 0 {
			nonempty++
		}
	}
	if nonempty < 100 {
		t.Errorf("only %d spaces had points", nonempty)
	}
}

// processorTime is what this process has taken: other programs on the machine
// do not count.
func processorTime(t testing.TB) time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// filterTime is how long the product filtered takes a combination, from the
// first few values of each parameter.
func filterTime(t testing.TB, d Declaration) time.Duration {
	few, combinations := d, time.Duration(1)
	few.Parameters = slices.Clone(d.Parameters)
	for i, p := range few.Parameters {
		few.Parameters[i].Values = p.Values[:min(len(p.Values), 1+int(math.Pow(1e5, 1/float64(len(few.Parameters)))))]
		combinations *= time.Duration(len(few.Parameters[i].Values))
	}
	start := processorTime(t)
	filtered(t, few)
	return (processorTime(t) - start) / combinations
}

// TestHugeProductFewValid: products of 10^8 and more within 1 GiB, and where the
// constraints tell early in a tenth of the time that going over the product takes.
func TestHugeProductFewValid(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	powers := func(name string, to float64) Parameter {
		p := Parameter{Name: name}
		for x := 1.0; x <= to; x *= 2 {
			p.Values = append(p.Values, x)
		}
		return p
	}
	for _, x := range []struct {
		name        string
		parameters  []Parameter
		constraints []string
		points      int
	}{
		{"chain", []Parameter{upTo("a", 1, 100, 1), upTo("b", 1, 100, 1), upTo("c", 1, 100, 1), upTo("d", 1, 100, 1)},
			[]string{"a == b", "b == c", "c == d"}, 100},
		{"product of all", []Parameter{upTo("a", 1, 40, 1), upTo("b", 1, 40, 1), upTo("c", 1, 40, 1), upTo("d", 1, 40, 1), upTo("e", 1, 40, 1)},
			[]string{"a * b * c * d * e == 40 ** 5 - 1"}, 0},
		{"sum of all", []Parameter{upTo("a", 0, 99, 1), upTo("b", 0, 99, 1), upTo("c", 0, 99, 1), upTo("d", 0, 99, 1)},
			[]string{"a + b + c + d <= 3"}, 35},
		{"tiles as of a matrix product", []Parameter{powers("MWG", 256), powers("NWG", 256), powers("KWG", 512), powers("MDIMC", 32), powers("NDIMC", 32), powers("VWM", 8),
			powers("VWN", 16), powers("MDIMA", 64), powers("NDIMB", 64), upTo("SA", 0, 1, 1), upTo("SB", 0, 1, 1)},
			[]string{"KWG == 32", "MWG % (MDIMC * VWM) == 0 and NWG % (NDIMC * VWN) == 0", "MWG % (MDIMA * VWM) == 0", "NWG % (NDIMB * VWN) == 0",
				"KWG % ((MDIMC * NDIMC)/MDIMA) == 0 and KWG % ((MDIMC * NDIMC)/NDIMB) == 0", "MDIMC * NDIMC == 1024", "SA == 1 or MWG == 128", "MWG * NWG * KWG * 4 * (SA + SB) <= 49152"}, -1},
		{"one modulus over all", []Parameter{upTo("a", 1, 100, 1), upTo("b", 1, 100, 1), upTo("c", 1, 100, 1), upTo("d", 1, 100, 1)},
			[]string{"(a * b + 7 * c * d) % 9973 == 17"}, -1},
	} {
		t.Run(x.name, func(t *testing.T) {
			product := 1.0
			for _, p := range x.parameters {
				product *= float64(len(p.Values))
			}
			if product < 1e8 {
				t.Fatalf("a product of %g is not a test", product)
			}
			d := Declaration{Parameters: x.parameters, Constraints: pythonConstraints(t, x.constraints...)}
			walk := product * filterTime(t, d).Seconds()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := processorTime(t)
			s, err := d.Enumerate(context.Background())
			took := processorTime(t) - start
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if x.points >= 0 && s.Len() != x.points {
				t.Errorf("%d points, want %d", s.Len(), x.points)
			}
			if x.points < 0 && s.Len() == 0 {
				t.Error("no points")
			}
			t.Logf("%g combinations, %d points in %v, %d MiB; the product takes %.1f s", product, s.Len(), took, (after.TotalAlloc-before.TotalAlloc)>>20, walk)
			most := walk / 10
			if x.name == "one modulus over all" { // nothing tells before the last parameter
				most = 2 * walk
			}
			if took.Seconds() > most {
				t.Errorf("took %v, want at most %.2f s; going over the product takes %.1f s", took, most, walk)
			}
			if b := after.TotalAlloc - before.TotalAlloc; b > 1<<30 {
				t.Errorf("allocated %d bytes", b)
			}
		})
	}
}

func TestEnumerationFaults(t *testing.T) {
	for want, d := range map[string]Declaration{
		"needs a parameter": {},
		"no values":         {Parameters: []Parameter{{Name: "a"}}},
		"two parameters":    {Parameters: []Parameter{parameter("a", 1), parameter("a", 1)}},
		"not known":         {Parameters: []Parameter{parameter("a", 1)}, Constraints: pythonConstraints(t, "b == 1")},
		"more than":         {Parameters: []Parameter{upTo("a", 1, 3000, 1), upTo("b", 1, 3000, 1)}},
	} {
		if _, err := d.Enumerate(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := Declaration{Parameters: []Parameter{upTo("a", 1, 300, 1), upTo("b", 1, 300, 1), upTo("c", 1, 300, 1)}, Constraints: pythonConstraints(t, "a * b % 7 == c % 5")}
	if _, err := d.Enumerate(ctx); err == nil {
		t.Error("a cancelled enumeration gave a space")
	}
}

func TestEmptyAndSingleSpaces(t *testing.T) {
	for want, text := range map[int]string{0: "a > 5", 1: "a == 3", 2: "a <= 2"} {
		s, err := Declaration{Parameters: []Parameter{upTo("a", 1, 5, 1)}, Constraints: pythonConstraints(t, text)}.Enumerate(context.Background())
		if err != nil || s.Len() != want {
			t.Errorf("%s: %d points, %v", text, s.Len(), err)
		}
	}
	s, err := Declaration{Parameters: []Parameter{upTo("a", 1, 5, 1)}, Constants: map[string]float64{"n": 3}, Constraints: pythonConstraints(t, "n > 3")}.Enumerate(context.Background())
	if err != nil || s.Len() != 0 {
		t.Errorf("%d points, %v", s.Len(), err)
	}
}

func ExampleDeclaration_Enumerate() {
	limit, _ := ParseConstraint("X * Y <= N")
	space, _ := Declaration{
		Parameters:  []Parameter{{Name: "X", Values: []float64{32, 64}}, {Name: "Y", Values: []float64{1, 2, 4}}},
		Constraints: []Constraint{limit},
		Constants:   map[string]float64{"N": 64},
	}.Enumerate(context.Background())
	for i := range space.Len() {
		fmt.Println(space.Value(i, 0), space.Value(i, 1))
	}
	// Output:
	// 32 1
	// 32 2
	// 64 1
}

// Constraints of many parameters with many values are evaluated for long before any point is
// found, or none ever is: that ends.
func TestEnumerateEnds(t *testing.T) {
	var d Declaration
	var sum []string
	for _, name := range []string{"a", "b", "c", "d"} {
		p := Parameter{Name: name}
		for i := range 1000 {
			p.Values = append(p.Values, float64(i+1))
		}
		d.Parameters = append(d.Parameters, p)
		sum = append(sum, name+" * "+name)
	}
	d.Constraints, d.mostWork = pythonConstraints(t, "("+strings.Join(sum, " + ")+") % 1000003 == 1000002.5"), 10<<20
	if _, err := d.Enumerate(t.Context()); err == nil || !strings.Contains(err.Error(), "finding the points takes more than 10485760 operations of the constraints, of which 0 points meet all so far; give fewer values") {
		t.Error(err)
	}
}
