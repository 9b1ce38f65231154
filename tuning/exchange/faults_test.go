package exchange

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework/expression"
)

// t4One is a T4 file of one correct result.
func t4One(more string) string {
	return `{"results": [{"configuration": {"a": 1}, "invalidity": "correct", ` + more + `}], "metadata": {"timeunit": "milliseconds"}}`
}

// TestTimeOfT4: the time is the one that is named, or none.
func TestTimeOfT4(t *testing.T) {
	for more, want := range map[string]float64{
		`"objectives": ["energy"], "measurements": [{"name": "energy", "value": 7, "unit": "J"}, {"name": "time", "value": 1.5, "unit": "ms"}], "times": {"runtimes": [100, 200]}`: 1.5e-3,
		`"objectives": ["GFLOP/s"], "measurements": [{"name": "GFLOP/s", "value": 7, "unit": ""}, {"name": "time", "value": 1.5, "unit": ""}]`:                                     1.5e-3,
		`"objectives": ["time"], "times": {"runtimes": [1, 3]}`: 2e-3,
		`"times": {"runtimes": [1, 3]}`:                         2e-3,
		`"objectives": ["TotalDuration"], "measurements": [{"name": "TotalDuration", "value": 2, "unit": "Microseconds"}, {"name": "time", "value": 9, "unit": "ms"}]`: 2e-6,
	} {
		s, err := Read([]byte(t4One(more)), nil)
		if err != nil || s.Results[0].Time != want {
			t.Errorf("%s: %+v, %v; want %v s", more, s, err, want)
		}
	}
	for more, want := range map[string]string{
		`"objectives": ["energy"], "measurements": [{"name": "energy", "value": 7, "unit": "J"}], "times": {"runtimes": [100]}`: `"energy" is in "J"`,
		`"objectives": ["GFLOP/s"], "measurements": [{"name": "GFLOP/s", "value": 7, "unit": ""}]`:                              `"GFLOP/s" has no unit of time`,
		`"objectives": ["energy"], "times": {"runtimes": [100]}`:                                                                `no measurement of the objective "energy"`,
		`"measurements": [{"name": "time", "value": 1, "unit": "fortnights"}], "times": {"runtimes": [100]}`:                    `the unit of time is "fortnights"; want seconds`,
		`"measurements": [{"name": "time", "value": "InvalidConfig", "unit": "ms"}], "times": {"runtimes": [100]}`:              `time is InvalidConfig, no number`,
		`"measurements": [{"name": "time", "value": 1, "unit": "s"}], "objectives": "time"`:                                     `objectives is a text; want a list`,
	} {
		text := t4One(more)
		if _, err := Read([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %s", text, err, want)
		}
	}
}

func TestUnknownUnitOfT4(t *testing.T) {
	text := strings.Replace(t4One(`"times": {"runtimes": [1]}`), "milliseconds", "weeks", 1)
	if _, err := Read([]byte(text), nil); err == nil || !strings.Contains(err.Error(), `metadata.timeunit is "weeks"; want seconds`) {
		t.Errorf("%v", err)
	}
}

// TestKeyAgainstValues: a key that says something else is an error that names
// it, as one of two configurations would be lost.
func TestKeyAgainstValues(t *testing.T) {
	file := func(params, cache string) string {
		return fmt.Sprintf(`{"tune_params_keys": ["x", "y"], "tune_params": %s, "cache": {%s}}`, params, cache)
	}
	const params = `{"x": [1, 2], "y": [1.0, true, "a,b", "3"]}`
	for text, want := range map[string]string{
		file(params, `"1,1": {"x": 1, "y": 1.0, "time": 1}, "2,1": {"x": 1, "y": 1.0, "time": 2}`):   `"2,1": x is 1 there and "2" in the key`,
		file(params, `"1,1": {"x": 1, "y": 1.0, "time": 1}, "1,1.0": {"x": 1, "y": 1.0, "time": 2}`): `"1,1" and "1,1.0" are the same`,
		file(params, `"3,1": {"x": 3, "y": 1.0, "time": 1}`):                                         `"3,1": x is 3, which tune_params does not list`,
		file(params, `"1": {"x": 1, "y": 1.0, "time": 1}`):                                           `"1": its values are those of "1,1.0"`,
		file(`{"x": [1]}`, `"1,1": {"x": 1, "y": 1, "time": 1}`):                                     "no values of y",
		file(`{"x": [1], "y": [1], "z": [1]}`, `"1,1": {"x": 1, "y": 1, "time": 1}`):                 "tune_params has z",
	} {
		if _, err := Read([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %s", text, err, want)
		}
	}
	text := file(params, `"1,1.0": {"x": 1, "y": 1.0, "time": 1}, "2,True": {"x": 2, "y": true, "time": 1}, "1,a,b": {"x": 1, "y": "a,b", "time": 1}, "1,3": {"x": 1, "y": "3", "time": 1}`)
	if s, err := Read([]byte(text), nil); err != nil || len(s.Results) != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestT1Distinct: a value that is listed twice is one value, and said.
func TestT1Distinct(t *testing.T) {
	s, err := Read([]byte(`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Type": "int", "Values": "[1, 1, 2, 1]"}, {"Name": "w", "Values": ["x", "y", "x"]}]}}`), nil)
	if err != nil || len(s.Parameters[0].Values) != 2 || len(s.Parameters[1].Values) != 2 || len(s.Notes) != 2 || !strings.Contains(s.Notes[0], "a lists 1 more than once") {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestLongQuotations: an error repeats little of a broken file.
func TestLongQuotations(t *testing.T) {
	brackets := strings.Repeat("[", 100_000)
	for _, text := range []string{
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "` + brackets + `"}]}}`,
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1]"}], "Conditions": [{"Expression": "` + brackets + `"}]}}`,
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1]"}], "Conditions": [{"Expression": "` + strings.Repeat("a", 100_000) + `"}]}}`,
		`{"results": [{"configuration": {"a": 1}, "invalidity": "` + brackets + `"}]}`,
	} {
		if _, err := Read([]byte(text), nil); err == nil || len(err.Error()) > 300 {
			t.Errorf("%.90s…: an error of %d bytes", text, len(fmt.Sprint(err)))
		}
		if _, err := ReadT1([]byte(text)); err == nil || len(err.Error()) > 300 {
			t.Errorf("%.90s…: an error of %d bytes", text, len(fmt.Sprint(err)))
		}
	}
}

// TestInterruptedCacheTellsWhatIsLost, if any is.
func TestInterruptedCacheTellsWhatIsLost(t *testing.T) {
	const whole = `{"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": 1}`
	for rest, want := range map[string]string{"": "", ",\n": "", `, "2": {"a"`: "11 bytes of a configuration", `, "2": {"a" ` + "\n": "11 bytes of a configuration"} {
		s, err := ReadCache([]byte(whole + rest))
		if err != nil || len(s.Results) != 1 || !strings.Contains(s.Notes[0], "its 1 whole configurations") {
			t.Errorf("%q: %+v, %v", rest, s, err)
			continue
		}
		if lost := strings.Join(s.Notes[1:], "; "); (lost == "") != (want == "") || !strings.Contains(lost, want) {
			t.Errorf("%q: %q is lost, want %q", rest, lost, want)
		}
	}
}

// TestValuesOfTheKeyAlone: a cache of Kernel Tuner may name them only there. Values
// that no parameter declares are put in order.
func TestValuesOfTheKeyAlone(t *testing.T) {
	s, err := ReadCache([]byte(`{"tune_params_keys": ["a", "b"], "cache": {"4,1": {"time": 1}, "16,1": {"time": 2}, "8,1": {"time": 3}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Parameters[0].Values, s.Results[0].Values, s.Results[0].Time); got != "[4 8 16] [16 1] 0.002" {
		t.Errorf("values, first result and its time: %s", got)
	}
}

// TestPlacesOfFaults: the number of what is wrong counts from 1.
func TestPlacesOfFaults(t *testing.T) {
	t1 := func(expression string) string {
		return `{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1]"}], "Conditions": [{"Expression": "a > 0"}, {"Expression": "` + expression + `"}]}}`
	}
	for text, want := range map[string]string{
		t1("a >"):   "condition 2: python",
		t1("b > 1"): "condition 2: b is not a parameter",
		`{"results": [{"configuration": {"a": 1}, "invalidity": "compile"}, {"configuration": {"a": 1}, "invalidity": "odd"}]}`: "result 2: ",
		strings.Replace(string(testdata(t, "ktt.json")), "1.2345e3", "0", 1):                                                    "result 1 is Ok without a TotalDuration",
	} {
		if _, err := Read([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %s", text, err, want)
		}
	}
}

// TestDefaultsOfT1: what the file names, else the first value, is written.
func TestDefaultsOfT1(t *testing.T) {
	s, err := ReadT1([]byte(`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1, 2]", "Default": 2}, {"Name": "b", "Values": "[3, 4]"}, {"Name": "c", "Values": "[5]", "Default": []}]}}`))
	if err != nil || len(s.Notes) != 0 {
		t.Fatalf("%v, notes %q", err, s.Notes)
	}
	if s.Parameters[0].Default == nil || s.Parameters[0].Default.Number != 2 || s.Parameters[1].Default != nil || s.Parameters[2].Default != nil {
		t.Errorf("%+v", s.Parameters)
	}
	s.Parameters = append(s.Parameters, Parameter{Name: "d"})
	var out strings.Builder
	if err := WriteT1(&out, s); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), `"Default": `); got != 3 || !strings.Contains(out.String(), `"Default": 2`) || !strings.Contains(out.String(), `"Default": 3`) {
		t.Errorf("%d defaults\n%s", got, out.String())
	}
}

// TestCacheHasTimesAndSize: without single times the one there is, without a size 1.
func TestCacheHasTimesAndSize(t *testing.T) {
	one := expression.Value{Number: 1}
	for want, s := range map[string]*Study{
		`"times":[2000] "problem_size": 1`:      {Results: []Result{{Time: 2}}},
		`"times":[1000,3000] "problem_size": 7`: {ProblemSize: 7, Results: []Result{{Time: 2, Times: []float64{1, 3}}}},
	} {
		s.Parameters = []Parameter{{Name: "a", Values: []expression.Value{one}}}
		s.Results[0].Failure, s.Results[0].Values = OK, []expression.Value{one}
		var out strings.Builder
		if err := WriteCache(&out, s); err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.SplitAfterN(want, " ", 2) {
			if !strings.Contains(out.String(), strings.TrimSpace(part)) {
				t.Errorf("no %s in\n%s", part, out.String())
			}
		}
	}
}
