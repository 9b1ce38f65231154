package exchange

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestThreeGenerationsOfFailures: as written up to 2021, from 0.4 to 1.3, and
// by 1.4.0.
func TestThreeGenerationsOfFailures(t *testing.T) {
	s, err := ReadCache(testdata(t, "generations.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Failure{}
	for _, r := range s.Results {
		got[r.Values[0].String()+","+r.Values[1].String()] = r.Failure
		if (r.Failure == OK) != (r.Time > 0) {
			t.Errorf("%+v", r)
		}
	}
	want := map[string]Failure{"16,a": OK, "32,a": Run, "64,a": Compile, "16,b": Run, "32,b": Invalid, "64,b": Compile}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if s.Device != "GPU" || s.Kernel != "k" || len(s.Parameters[1].Values) != 2 || s.Results[0].Time != 0.0015 || len(s.Results[0].Times) != 2 {
		t.Errorf("%+v", s)
	}
	rec, err := s.Recorded("k")
	if err != nil || rec.Space.Len() != 6 {
		t.Fatalf("%v", err)
	}
	if rec.Costs[0] != 0.0015 || !math.IsNaN(rec.Costs[1]) || rec.Space.Value(1, 1) != 1 {
		t.Errorf("costs %v", rec.Costs)
	}
	var out bytes.Buffer
	if err := rec.Write(&out); err != nil {
		t.Error(err)
	}
}

// TestInterruptedCache: cut anywhere in its configurations, what is whole is
// read.
func TestInterruptedCache(t *testing.T) {
	whole := testdata(t, "generations.json")
	start := bytes.Index(whole, []byte(`"cache"`))
	least, most := 99, 0
	for end := start + len(`"cache": {`) + 1; end < len(whole); end++ {
		s, err := ReadCache(whole[:end])
		if err != nil {
			t.Fatalf("cut at %d (%q): %v", end, whole[max(0, end-20):end], err)
		}
		n := len(s.Results)
		least, most = min(least, n), max(most, n)
		if complete := bytes.Count(whole[:end], []byte("},")); n < complete-1 || n > complete+1 {
			t.Fatalf("cut at %d: %d configurations, %d are whole", end, n, complete)
		}
		if n < 6 && len(s.Notes) == 0 {
			t.Errorf("cut at %d: no note", end)
		}
	}
	if least != 0 || most != 6 {
		t.Errorf("from %d to %d configurations", least, most)
	}
	if _, err := ReadCache(whole[:start-3]); err == nil {
		t.Error("a file cut in its head was read")
	}
}

func TestT1AndT4(t *testing.T) {
	t1, err := ReadT1(testdata(t, "t1.json"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := t1.Declaration()
	if err != nil {
		t.Fatal(err)
	}
	space, err := d.Enumerate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// block_size_x 16, 32 and 32 … 96 by 32 without repetition is 16 32 64 96;
	// times block_size_y 1 2 4 8: 32 ≤ x·y ≤ 256 leaves 3 + 4 + 3 + 2; tile 1.5 needs
	// x ≥ 64, which are 5 of them
	if space.Len() != 12+5 {
		t.Errorf("%d points", space.Len())
	}
	s, err := ReadT4(testdata(t, "t4.json"), t1)
	if err != nil {
		t.Fatal(err)
	}
	if s.Parameters[0].Name != "block_size_x" || len(s.Conditions) != 2 || len(s.Results) != 4 {
		t.Errorf("%+v", s)
	}
	for i, want := range []Failure{OK, Compile, Wrong, OK} {
		if s.Results[i].Failure != want {
			t.Errorf("result %d: %q, want %q", i, s.Results[i].Failure, want)
		}
	}
	if s.Results[0].Time != 0.002 || math.Abs(s.Results[3].Time-0.0035) > 1e-15 || s.Results[0].CompileTime != 0.1 || s.Results[3].CompileTime != 0.2 {
		t.Errorf("times %+v", s.Results)
	}
	if s, err := ReadT4(testdata(t, "t4.json"), nil); err != nil || len(s.Parameters) != 3 {
		t.Errorf("without T1: %v", err)
	}
}

func TestKTT(t *testing.T) {
	s, err := Read(testdata(t, "ktt.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Results) != 2 || math.Abs(s.Results[0].Time-1234.5e-6) > 1e-12 || s.Results[1].Failure != Run || s.Device != "GPU" {
		t.Errorf("%+v", s)
	}
}

// TestWhatIsWrittenIsRead in each format.
func TestWhatIsWrittenIsRead(t *testing.T) {
	want, err := ReadCache(testdata(t, "generations.json"))
	if err != nil {
		t.Fatal(err)
	}
	want.Parameters[0].Values[1].Float = false
	want.Results[0].RunTime = 0.25
	var cache, t1, t4 bytes.Buffer
	for _, err := range []error{WriteCache(&cache, want), WriteT1(&t1, want), WriteT4(&t4, want)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(cache.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Parameters, want.Parameters) || len(got.Results) != len(want.Results) {
		t.Errorf("cache: %+v", got)
	}
	for i, r := range got.Results {
		if r.CompileTime != want.Results[i].CompileTime || r.RunTime != want.Results[i].RunTime {
			t.Errorf("cache: compiling and running took %+v, want %+v", r, want.Results[i])
		}
	}
	space, err := Read(t1.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(t4.Bytes(), space)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Results {
		a, b := again.Results[i], want.Results[i]
		if a.Time != b.Time || a.Failure != b.Failure || !reflect.DeepEqual(a.Values, b.Values) {
			t.Errorf("T4: %+v, want %+v", a, b)
		}
	}
	// Kernel Tuner 0.4 on takes the class from time, 1.4.0 from __error__.
	if !strings.Contains(cache.String(), `"__error__":"CompilationFailedConfig"`) || !strings.Contains(cache.String(), `"time":"CompilationFailedConfig"`) {
		t.Error(cache.String())
	}
	var strict map[string]any
	if err := decode(cache.Bytes(), &strict); err != nil {
		t.Error(err)
	}
}

func TestFaultyFiles(t *testing.T) {
	for text, want := range map[string]string{
		``:              "EOF",
		`[]`:            "",
		`{}`:            "neither",
		`{"cache": {}}`: "tune_params_keys",
		`{"tune_params_keys": ["a", "a"], "cache": {}}`:                                                                                                                      "twice",
		`{"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": -2}}}`:                                                                                                  "not positive",
		`{"tune_params_keys": ["a"], "cache": {"1": {"a": [1], "time": 2}}}`:                                                                                                 "neither a number",
		`{"tune_params_keys": ["a", "b"], "cache": {"1": {"a": 1, "time": 2}}}`:                                                                                              "missing",
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1, 2"}]}}`:                                                                                   "want",
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[]"}]}}`:                                                                                      "empty",
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Type": "int", "Values": "[1.5]"}]}}`:                                                                    "whole",
		`{"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1]"}], "Conditions": [{"Expression": "b > 1"}]}}`:                                            "not a parameter",
		`{"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": 5e-324}}}`:                                                                                              "time 5e-324 is not positive",
		`{"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": 1e13}}}`:                                                                                                `configuration "1": time 1e13 ms is 1e+10 s, which no clock gives; want 1e-15 to 1e+09 s`,
		`{"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": 1, "times": [1e-13]}}}`:                                                                                 "one of times, 1e-13 ms, is 1",
		`{"tune_params_keys": ["a"], "objective": "score", "cache": {"1": {"a": 1, "score": 0.5}, "2": {"a": 2, "__error__": "InvalidConfig"}}}`:                             `the objective "score" has no unit of time, and there is no measurement named time`,
		`{"results": [{"configuration": {"a": 1}, "invalidity": "correct", "measurements": [{"name": "time", "value": 1e-310, "unit": "s"}]}]}`:                              "result 1: its time is 1e-310 s, which no clock gives",
		`{"results": [{"configuration": {"a": 1}, "invalidity": "correct", "times": {"runtimes": [1, 1e300]}}]}`:                                                             "result 1: one of runtimes, 1e300, is 1e+297 s, which no clock gives",
		`{"Results": [{"KernelName": "k", "Status": "Ok", "TotalDuration": 1e200, "Configuration": [{"Name": "a", "Value": 1}]}], "Metadata": {"TimeUnit": "Milliseconds"}}`: "result 1: its TotalDuration is 1e+197 s, which no clock gives",
		`{"results": []}`: "results are needed",
		`{"results": [{"configuration": {"a": 1}, "invalidity": "odd"}]}`:     "invalidity",
		`{"results": [{"configuration": {"a": 1}, "invalidity": "correct"}]}`: "no time",
		`{"Results": [{}], "Metadata": {"TimeUnit": "weeks"}}`:                "unit",
	} {
		if _, err := Read([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"generations.json", "t1.json", "t4.json", "ktt.json"} {
		f.Add(testdata(f, name))
	}
	f.Add([]byte(`{"tune_params_keys":["a"],"cache":{"1":{"time":NaN},`))
	f.Add([]byte(`{"tune_params_keys":["a"],"cache":{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Read(text, nil)
		if err != nil {
			return
		}
		for _, r := range s.Results {
			if len(r.Values) != len(s.Parameters) || (r.Failure == OK) != (r.Time > 0) {
				t.Fatalf("%+v", r)
			}
		}
		if _, err := s.Declaration(); err != nil {
			return
		}
		if rec, err := s.Recorded("x"); err == nil && len(rec.Costs) != rec.Space.Len() {
			t.Fatal("costs and points differ in number")
		}
		var out bytes.Buffer
		if err := WriteCache(&out, s); err != nil {
			t.Fatal(err)
		}
		if len(s.Results) > 0 {
			if _, err := ReadCache(out.Bytes()); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
		}
	})
}
