package tridiagonal

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// setting is the parameters of a problem.
func setting(n, batch int, precision, layout string, dominance float64) framework.Values {
	return framework.Values{
		"N":         framework.IntValue(int64(n)),
		"batch":     framework.IntValue(int64(batch)),
		"precision": framework.TextValue(precision),
		"layout":    framework.TextValue(layout),
		"dominance": framework.FloatValue(dominance),
	}
}

func testProblem(t testing.TB, p framework.Values) *problem {
	t.Helper()
	q, err := newProblem(framework.Env{Seed: 7, Workers: 2, Note: t.Logf}, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q.(*problem)
}

func bad(checks []framework.Check) error {
	var errs []error
	for _, c := range checks {
		if !c.OK() {
			errs = append(errs, fmt.Errorf("%s is %.3g, bound %.3g", c.Metric, c.Error, c.Bound))
		}
	}
	if len(checks) != 2 {
		errs = append(errs, fmt.Errorf("%d checks, want residual and forward error", len(checks)))
	}
	return errors.Join(errs...)
}

// The answer must not depend on how many threads or in which layout.
func TestLayoutsHoldTheirOwnSystems(t *testing.T) {
	p := testProblem(t, setting(50, 9, "f64", interleaved, 2))
	for s := range p.Batch {
		first, last := p.start(s), p.start(s)+(p.N-1)*p.stride()
		if p.in64.a[first] != 0 || p.in64.c[last] != 0 {
			t.Errorf("system %d begins with a = %g and ends with c = %g, want zeros", s, p.in64.a[first], p.in64.c[last])
		}
		for i := range p.N {
			at := p.start(s) + i*p.stride()
			a, b, c := math.Abs(p.in64.a[at]), math.Abs(p.in64.b[at]), math.Abs(p.in64.c[at])
			if math.Abs(b-2*(a+c)) > 1e-12 || i > 0 && a < 0.5 || i < p.N-1 && c < 0.5 {
				t.Fatalf("system %d row %d: |a|, |b|, |c| = %g, %g, %g", s, i, a, b, c)
			}
		}
	}
}

// One wrong element is found, wherever it is.
func TestCompareFindsPlantedErrors(t *testing.T) {
	for _, precision := range []string{"f32", "f64"} {
		p := testProblem(t, setting(128, 700, precision, contiguous, 2)) // several groups
		want, err := p.answer()
		if err != nil {
			t.Fatal(err)
		}
		plants := map[string]func(x []float64){
			"last element doubled":     func(x []float64) { x[len(x)-1] *= 2 },
			"first element one unit":   func(x []float64) { x[0] += 4000 * p.roundoff() },
			"neighbours exchanged":     func(x []float64) { x[700], x[701] = x[701], x[700] },
			"one element missing":      func(x []float64) { x[128] = math.NaN() },
			"one element infinite":     func(x []float64) { x[128] = math.Inf(1) },
			"system solved for zero d": func(x []float64) { clear(x[256:384]) },
		}
		try := func(x []float64) error {
			var checks []framework.Check
			if p.Double {
				checks, err = compare(p, p.in64, x, 1)
			} else {
				narrow := make([]float32, len(x))
				for i, v := range x {
					narrow[i] = float32(v)
				}
				checks, err = compare(p, p.in32, narrow, 1)
			}
			if err != nil {
				t.Fatal(err)
			}
			return bad(checks)
		}
		if err := try(want.x); err != nil {
			t.Errorf("%s: the reference itself: %v", precision, err)
		}
		for name, plant := range plants {
			x := append([]float64(nil), want.x...)
			plant(x)
			if try(x) == nil {
				t.Errorf("%s: %s: not found", precision, name)
			}
		}
	}
}

// Without dominance elimination without pivoting fails, and the checks show it;
// LAPACK's pivoting still solves what is not singular: a zero diagonal of even
// length.
func TestDominanceShowsStability(t *testing.T) {
	weak, zero := setting(512, 64, "f32", contiguous, 0.01), setting(64, 3, "f64", contiguous, 0)
	for _, x := range []struct {
		version string
		params  framework.Values
		right   bool
	}{{"parallel", weak, false}, {"lapack", weak, true}, {"reference", zero, false}, {"lapack", zero, true}} {
		checks, _, err := algorithmtest.Try(Factory(), nil, x.version, x.params, nil)
		if err != nil || algorithmtest.Good(checks) != x.right {
			t.Errorf("%s at %v: checks %v, error %v; right: %v", x.version, x.params, checks, err, x.right)
		}
	}
}

// A zero diagonal of odd length is singular for any a and c.
func TestSingularSystemIsAnError(t *testing.T) {
	for version, want := range map[string]string{"reference": "singular", "parallel": "singular", "lapack": "info = 65"} {
		_, _, err := algorithmtest.Try(Factory(), nil, version, setting(65, 3, "f64", contiguous, 0), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", version, err, want)
		}
	}
}

// The estimate of the condition number is compared with the inverse.
func TestConditionEstimate(t *testing.T) {
	for _, dominance := range []float64{0.1, 0.7, 1, 3} {
		p := testProblem(t, setting(40, 1, "f64", contiguous, dominance))
		sys, f := newWide(p.N), newPivoted(p.N)
		load(sys, p, p.in64, 0)
		if row := f.factor(*sys); row >= 0 {
			t.Fatalf("dominance %g: no pivot in row %d", dominance, row)
		}
		sums := make([]float64, p.N)
		norm := 0.0
		column := make([]float64, p.N)
		for j := range p.N {
			clear(column)
			column[j] = 1
			f.solve(column)
			for i, v := range column {
				sums[i] += math.Abs(v)
			}
			norm = max(norm, math.Abs(sys.a[j])+math.Abs(sys.b[j])+math.Abs(sys.c[j]))
		}
		exact := 0.0
		for _, s := range sums {
			exact = max(exact, s*norm)
		}
		got := f.condition(*sys)
		if got > exact*(1+1e-9) || got < exact/3 {
			t.Errorf("dominance %g: estimate %g of condition %g", dominance, got, exact)
		}
		if dominance > 1 && exact > dominantCondition(dominance) {
			t.Errorf("dominance %g: condition %g is above its bound %g", dominance, exact, dominantCondition(dominance))
		}
	}
}

func TestMissingLAPACKIsExplained(t *testing.T) {
	_, err := lapackLibrary.Open("libnosuchlapack.so.0")
	if err == nil || !strings.Contains(err.Error(), "libnosuchlapack.so.0") || !strings.Contains(err.Error(), "apt-get install") {
		t.Errorf("error %v, want the name sought and what to install", err)
	}
	if _, err = lapackLibrary.Open("libc.so.6"); err == nil || !strings.Contains(err.Error(), "sgtsv_") {
		t.Errorf("error %v, want the missing symbol", err)
	}
}

func TestMissingCUSPARSEIsExplained(t *testing.T) {
	_, err := cusparseLibrary.Open("libnosuchcusparse.so.0")
	if err == nil || !strings.Contains(err.Error(), "libnosuchcusparse.so.0") || !strings.Contains(err.Error(), "install") {
		t.Errorf("error %v, want the name sought and what to install", err)
	}
	if _, err = cusparseLibrary.Open("libc.so.6"); err == nil || !strings.Contains(err.Error(), "cusparse") {
		t.Errorf("error %v, want the missing symbol", err)
	}
}

func TestCheckSaysWhatIsRight(t *testing.T) {
	p := setting(1000, 0, "f32", contiguous, 2)
	p["batch_elements"] = framework.IntValue(1500)
	if err := check(p); err == nil || !strings.Contains(err.Error(), "1000 and 2000") {
		t.Errorf("error %v, want the nearest multiples", err)
	}
	p["batch_elements"] = framework.IntValue(500)
	if check(p) == nil {
		t.Error("less than one system is accepted")
	}
	p["batch"] = framework.IntValue(1)
	if err := check(p); err != nil {
		t.Errorf("one system: %v", err)
	}
}

// BenchmarkCPU compares parallel with LAPACK; both alternate under -count.
func BenchmarkCPU(b *testing.B) {
	for _, precision := range []string{"f32", "f64"} {
		for n := 64; n <= 4096; n *= 4 {
			for _, version := range []string{"parallel", "lapack"} {
				b.Run(fmt.Sprintf("%s/N=%d/%s", precision, n, version), func(b *testing.B) {
					p := testProblem(b, setting(n, defaultElements/n, precision, contiguous, 2))
					a, err := Factory().VersionOn(version, framework.CPU).New(framework.Env{Workers: 2}, p, nil)
					if err != nil {
						b.Fatal(err)
					}
					if err := a.PreRun(); err != nil {
						b.Fatal(err)
					}
					best := time.Hour
					for b.Loop() {
						if r, ok := a.(framework.Resetter); ok {
							if err := r.Reset(); err != nil {
								b.Fatal(err)
							}
						}
						start := time.Now()
						if err := a.Run(); err != nil {
							b.Fatal(err)
						}
						best = min(best, time.Since(start))
					}
					b.ReportMetric(float64(p.elements())/best.Seconds()/1e6, "best_MRows/s")
				})
			}
		}
	}
}

// Systems in parts of every number are solved, by one worker and by several.
func TestEveryNumberOfParts(t *testing.T) {
	v := Factory().VersionOn("parallel", framework.CPU)
	for i, x := range v.Tunables[0].Values {
		precision := []string{"f32", "f64"}[i%2]
		params := framework.Values{"N": framework.IntValue(60001), "batch": framework.IntValue(1), "precision": framework.TextValue(precision)}
		algorithmtest.Solve(t, Factory(), nil, v.Name, params, framework.Values{"PARTS": framework.IntValue(x)})
	}
}
