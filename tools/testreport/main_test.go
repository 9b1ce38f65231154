package main

import (
	"strings"
	"testing"
)

func reported(t *testing.T, ci bool, lines ...string) (string, bool) {
	t.Helper()
	var out strings.Builder
	r := &report{to: &out, packages: map[string]*state{}, builds: map[string][]string{}}
	if err := r.read(strings.NewReader(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	good := r.end(ci)
	return out.String(), good
}

var passed = []string{
	`{"Action":"start","Package":"a"}`,
	`{"Action":"run","Package":"a","Test":"TestGood"}`,
	`{"Action":"output","Package":"a","Test":"TestGood","Output":"=== RUN   TestGood\n"}`,
	`{"Action":"output","Package":"a","Test":"TestGood","Output":"    a_test.go:1: a log\n"}`,
	`{"Action":"output","Package":"a","Test":"TestGood","Output":"--- PASS: TestGood (0.00s)\n"}`,
	`{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":0}`,
	`{"Action":"output","Package":"a","Output":"PASS\n"}`,
	`{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}`,
	`{"Action":"pass","Package":"a","Elapsed":0.1}`,
}

var failed = []string{
	`{"Action":"output","Package":"b","Test":"TestGood","Output":"--- PASS: TestGood (0.00s)\n"}`,
	`{"Action":"pass","Package":"b","Test":"TestGood"}`,
	`{"Action":"output","Package":"b","Test":"TestBad","Output":"    b_test.go:7: 3, want 4\n"}`,
	`{"Action":"output","Package":"b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}`,
	`{"Action":"fail","Package":"b","Test":"TestBad"}`,
	`{"Action":"output","Package":"b","Output":"FAIL\n"}`,
	`{"Action":"output","Package":"b","Output":"FAIL\tb\t0.1s\n"}`,
	`{"Action":"fail","Package":"b"}`,
}

var skipping = []string{
	`{"Action":"output","Package":"c","Test":"TestGPU","Output":"    c_test.go:3: needs NVRTC\n"}`,
	`{"Action":"output","Package":"c","Test":"TestGPU","Output":"--- SKIP: TestGPU (0.00s)\n"}`,
	`{"Action":"skip","Package":"c","Test":"TestGPU"}`,
	`{"Action":"output","Package":"c","Output":"ok  \tc\t0.1s\n"}`,
	`{"Action":"pass","Package":"c"}`,
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		ci    bool
		good  bool
		want  string
	}{
		{"passed", passed, true, true, "ok  \ta\t0.1s\n"},
		{"failed", append(passed[:len(passed):len(passed)], failed...), false, false,
			"ok  \ta\t0.1s\n    b_test.go:7: 3, want 4\n--- FAIL: TestBad (0.00s)\nFAIL\tb\t0.1s\nFAIL: b TestBad\n"},
		{"skipped", skipping, false, true, "    c_test.go:3: needs NVRTC\n--- SKIP: TestGPU (0.00s)\nok  \tc\t0.1s\n"},
		{"skipped in CI", skipping, true, false,
			"    c_test.go:3: needs NVRTC\n--- SKIP: TestGPU (0.00s)\nok  \tc\t0.1s\nFAIL: 1 skipped in CI, which has what they need\n"},
		{"does not build", []string{
			`{"ImportPath":"d [d.test]","Action":"build-output","Output":"d.go:1: undefined: x\n"}`,
			`{"ImportPath":"d [d.test]","Action":"build-fail"}`,
			`{"Action":"start","Package":"d"}`,
			`{"Action":"output","Package":"d","Output":"FAIL\td [build failed]\n"}`,
			`{"Action":"fail","Package":"d","FailedBuild":"d [d.test]"}`,
		}, false, false, "d.go:1: undefined: x\nFAIL\td [build failed]\nFAIL: d\n"},
		{"killed", failed[2:4], false, false, "FAIL: b did not end\n"},
		{"go's own words", []string{"go: no such module"}, false, false, "go: no such module\nFAIL: no package was tested\n"},
		{"panic", []string{
			`{"Action":"output","Package":"e","Test":"TestX","Output":"panic: oh\n"}`,
			`{"Action":"fail","Package":"e","Test":"TestX"}`,
			`{"Action":"output","Package":"e","Output":"FAIL\te\t0.1s\n"}`,
			`{"Action":"fail","Package":"e"}`,
		}, false, false, "panic: oh\nFAIL\te\t0.1s\nFAIL: e\n"},
	} {
		if got, good := reported(t, c.ci, c.lines...); got != c.want || good != c.good {
			t.Errorf("%s: good %v\n%s\nwant %v\n%s", c.name, good, got, c.good, c.want)
		}
	}
}
