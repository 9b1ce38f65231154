package record

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// noisy is a point that did not converge, with these conditions.
func noisy(id int, c *measure.Conditions) Result {
	s := &measure.Series{Batch: 1}
	for i := range 40 {
		s.Samples = append(s.Samples, 1+0.2*float64(i%7))
	}
	return Result{Point: plan.Point{ID: id, Algorithm: "fft", Version: "v", Processor: framework.CPU}, Status: OK, Hot: s, Conditions: c}
}

// TestWhyARunIsNotQuiet: the closing line names what the machine did.
func TestWhyARunIsNotQuiet(t *testing.T) {
	nan := math.NaN()
	quiet := measure.Conditions{Workers: 2, CPUs: 1.98, Waiting: 0.01, Others: 0.01, Steal: 0.001, Registers: 1e-4, Copy: 1e-4}
	with := func(change func(*measure.Conditions)) *measure.Conditions {
		c := quiet
		change(&c)
		return &c
	}
	const end = "; rerun when quiet, or use bench ab"
	if got, want := shortage(0.3, 2, machine.Facts{CPUQuota: 0.3}), "workers got 0.3 of 2 CPUs (this cgroup's quota is 0.3)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := shortage(1, 2, machine.Facts{CPUQuota: 4}), "workers got 1.0 of 2 CPUs"; got != want {
		t.Errorf("a quota above the workers: %q, want %q", got, want)
	}
	for _, c := range []struct {
		name       string
		conditions *measure.Conditions
		want       string
	}{
		{"nothing known", nil, "beyond 5 %"},
		{"quiet", &quiet, ": no other load was seen; measure longer (measure.min_time_s), or use bench ab"},
		{"shared CPUs", with(func(c *measure.Conditions) { c.CPUs, c.Waiting, c.Others, c.Steal = 1, 0.9, 0.47, 0.01 }),
			": workers got 1.0 of 2 CPUs, other programs 47 %, steal 1.0 %" + end},
		{"a serial part", with(func(c *measure.Conditions) { c.CPUs = 1 }), "no other load was seen"},
		{"steal", with(func(c *measure.Conditions) { c.Steal = 0.2 }), ": steal 20 %" + end},
		{"memory", with(func(c *measure.Conditions) { c.Copy = 1.5e-4 }), ": only the copy slow: host memory is shared" + end},
		{"CPU", with(func(c *measure.Conditions) { c.Copy, c.Registers = 1.5e-4, 1.4e-4 }), ": loop and copy slow: the CPU is shared or its clock moves" + end},
		{"of a GPU", with(func(c *measure.Conditions) { c.Workers, c.CPUs, c.Waiting, c.Others = 0, 0.1, 0, 0.3 }), ": other programs 30 %" + end},
		{"unknown in part", with(func(c *measure.Conditions) { c.CPUs, c.Waiting, c.Steal = nan, nan, nan; c.Others = 0.3 }), ": other programs 30 %" + end},
	} {
		good := noisy(1, &quiet)
		good.Hot = &measure.Series{Samples: []float64{1, 1, 1, 1, 1, 1, 1, 1}, Converged: true}
		r := NewRun(Info{}, "p", nil, []Result{noisy(0, c.conditions), good})
		line := r.unquiet()
		if !strings.HasPrefix(line, "1 of 2 points did not converge (worst ±") || !strings.HasSuffix(line, c.want) && !strings.Contains(line, c.want+";") {
			t.Errorf("%s: %q, want %q", c.name, line, c.want)
		}
		if strings.Contains(Table(r, false, 0), "not converged") {
			t.Errorf("%s: a label", c.name)
		}
		if !strings.Contains(Table(r, false, 0), " ~") {
			t.Errorf("%s: no mark\n%s", c.name, Table(r, false, 0))
		}
	}
	good := noisy(1, &quiet)
	good.Hot = &measure.Series{Samples: []float64{1, 1, 1, 1, 1, 1, 1, 1}, Converged: true}
	if line := NewRun(Info{}, "p", nil, []Result{good}).unquiet(); line != "" {
		t.Errorf("%q", line)
	}
}

// TestConditionsAreColumns: a mean over instances, and nothing where nothing is known.
func TestConditionsAreColumns(t *testing.T) {
	a, b := noisy(0, &measure.Conditions{Workers: 2, CPUs: 1, Waiting: math.NaN(), Others: 0.25}), noisy(0, &measure.Conditions{Workers: 2, CPUs: 2, Waiting: math.NaN(), Others: 0.75})
	b.Point.Instance = 1
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "p", nil, []Result{a, b})); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil || r.Rows[0].CPUs.Float() != 1.5 || r.Rows[0].Others.Float() != 0.5 || r.Rows[0].Waiting.IsSet() || r.Rows[0].Workers.Int() != 2 {
		t.Errorf("%+v, %v", r.Rows[0].Conditions, err)
	}
}
