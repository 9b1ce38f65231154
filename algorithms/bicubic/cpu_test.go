package bicubic

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/internal/pages"
)

// setting is the parameters of a problem.
func setting(rows, cols, rowFactor, columnFactor int, basis string) framework.Values {
	v := framework.IntValues("rows", rows, "cols", cols, "row_factor", rowFactor, "column_factor", columnFactor)
	v["basis"] = framework.TextValue(basis)
	return v
}

func testProblem(t testing.TB, params framework.Values) *problem {
	t.Helper()
	q, err := newProblem(framework.Env{Seed: 7}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q.(*problem)
}

// All vector code of this processor, and the Go code that replaces it, with
// plain and non-temporal stores, on widths around the lanes and several blocks.
func TestCombiners(t *testing.T) {
	for _, c := range append(combiners(), nil) {
		for _, past := range []bool{false, true} {
			for _, cols := range []int{1, 3, 7, 16, 33, 250, 1500} {
				p := testProblem(t, setting(70, cols, 2, 3, "bspline"))
				s := newStriped(p, framework.Env{Workers: 2}, stripeRows, blockColumns)
				s.combine, s.past = c, past
				out, free, err := pages.New[float32](p.points())
				if err != nil {
					t.Fatal(err)
				}
				s.run(out)
				for _, check := range p.compare(out, s.rounding()) {
					if !check.OK() {
						t.Errorf("%+v, past %v, %d columns: %+v", c, past, cols, check)
					}
				}
				s.Close()
				free()
			}
		}
	}
}

func BenchmarkCPU(b *testing.B) {
	for _, version := range []string{"reference", "parallel"} {
		b.Run(version, func(b *testing.B) {
			q := testProblem(b, setting(512, 2048, 8, 2, "hermite"))
			a, err := Factory().VersionOn(version, framework.CPU).New(framework.Env{Workers: 2}, q, nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := a.PreRun(); err != nil {
				b.Fatal(err)
			}
			defer a.PostRun()
			b.SetBytes(a.Work().NominalBytes)
			for b.Loop() {
				if err := a.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Stripes and blocks of every size give the right points.
func TestEveryStripe(t *testing.T) {
	v := Factory().VersionOn("parallel", framework.CPU)
	params := framework.IntValues("rows", 70, "cols", 300, "row_factor", 3, "column_factor", 2)
	for _, tunable := range v.Tunables {
		for _, x := range tunable.Values {
			algorithmtest.Solve(t, Factory(), nil, v.Name, params, framework.Values{tunable.Name: framework.IntValue(x)})
		}
	}
}
