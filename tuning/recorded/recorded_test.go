package recorded

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/tuning"
)

const smallSpace = `a,b,time_ms,status
4,0,2.5,valid
2,1,,invalid
4,1,1.25,valid
`

func TestRead(t *testing.T) {
	r, err := Read(strings.NewReader(smallSpace), "small", nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Space.Len() != 3 || r.Space.Parameters[0].Values[0] != 2 || r.Space.Value(0, 0) != 4 || r.Space.Value(1, 1) != 1 {
		t.Errorf("wrong values: %+v", r.Space)
	}
	if r.Costs[0] != 0.0025 || !math.IsNaN(r.Costs[1]) {
		t.Errorf("costs %v, want 0.0025, NaN, 0.00125 s", r.Costs)
	}
	if o, ok := r.Optimum(); !ok || o != 0.00125 {
		t.Errorf("optimum %v, want 0.00125", o)
	}
	// The manifest's order of values, which includes one that no point has.
	r, err = Read(strings.NewReader(smallSpace), "small", &ManifestEntry{Parameters: map[string][]float64{"a": {8, 4, 2}}})
	if err != nil || r.Space.Indexes(0)[0] != 1 || len(r.Space.Parameters[0].Values) != 3 {
		t.Errorf("with declared values: %v, %v", r, err)
	}
}

// A mark of the byte order is no part of the first column's name.
func TestReadWithByteOrderMark(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("\ufeff" + smallSpace))
	w.Close()
	for _, text := range []string{"\ufeff" + smallSpace, z.String()} {
		r, err := Read(strings.NewReader(text), "small", nil)
		if err != nil || r.Space.Parameters[0].Name != "a" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestTablesOfSpreadsheets: a time that no clock gives, and other separators, are refused in words.
func TestTablesOfSpreadsheets(t *testing.T) {
	for text, want := range map[string]string{
		"a,time_ms,status\n1,5e-324,valid\n":  "line 2: time_ms of a valid point is 0; want seconds above 0",
		"a,time_ms,status\n1,1e-20,valid\n":   "line 2: time_ms of a valid point is 1e-23 s, which no clock gives; want 1e-15 to 1e+09 s",
		"a,time_ms,status\n1,1e300,invalid\n": "",
		"a;time_ms;status\r\n1;0,5;valid\r\n": "its columns are separated by semicolons, as a spreadsheet saves them; want commas, and numbers with a point",
	} {
		got := ""
		if _, err := Read(strings.NewReader(text), "x", nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

// TestZeroHasNoSign: -0 is the value 0.
func TestZeroHasNoSign(t *testing.T) {
	r, err := Read(strings.NewReader("a,b,time_ms,status\n-0,1,1,valid\n0,2,1,valid\n"), "x", nil)
	if err != nil || len(r.Space.Parameters[0].Values) != 1 || math.Signbit(r.Space.Value(0, 0)) || math.Signbit(r.Space.Value(1, 0)) {
		t.Errorf("%+v, %v; want one value, 0", r, err)
	}
}

// TestMostValues: a point's values have numbers of 16 bits.
func TestMostValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,time_ms,status\n")
	for i := range math.MaxUint16 + 1 {
		fmt.Fprintf(&text, "%d,,invalid\n", i)
	}
	if r, err := Read(strings.NewReader(text.String()), "x", nil); err != nil || r.Space.Len() != 65536 {
		t.Errorf("65536 values: %v", err)
	}
	text.WriteString("0.5,,invalid\n")
	if _, err := Read(strings.NewReader(text.String()), "x", nil); err == nil || !strings.Contains(err.Error(), "a has 65537 values; at most 65536") {
		t.Errorf("65537 values: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           "empty",
		"a,time_ms,status\n":                         "no points",
		"a,status\n1,valid\n":                        "no column time_ms",
		"a,time_ms\n1,2\n":                           "no column status",
		"time_ms,status\n1,valid\n":                  "no column of a parameter",
		"a,a,time_ms,status\n":                       "two columns",
		"a,,time_ms,status\n":                        "column 2 has no name",
		"a,time_ms,status\nx,1,valid\n":              `line 2: a is "x"`,
		"a,time_ms,status\n1,,valid\n":               "line 2: time_ms",
		"a,time_ms,status\n1,-1,valid\n":             "not a positive number",
		"a,time_ms,status\n1,NaN,valid\n":            "not a positive number",
		"a,time_ms,status\n1,0,valid\n":              "not a positive number",
		"a,time_ms,status\n1,1,ok\n":                 `status is "ok"`,
		"a,time_ms,status\n1,1\n":                    "wrong number of fields",
		"a,time_ms,status\n1,1,valid\n1,2,valid\n":   "points 0 and 1 are the same",
		"\x1f\x8bnot gzip":                           "gzip",
		"a,time_ms,status\n1,1,valid\nInf,2,valid\n": "no number",
	} {
		if _, err := Read(strings.NewReader(text), "x", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	entry := &ManifestEntry{Parameters: map[string][]float64{"a": {2}}}
	if _, err := Read(strings.NewReader(smallSpace), "x", entry); err == nil || !strings.Contains(err.Error(), "manifest does not list") {
		t.Errorf("a value that the manifest lacks: %v", err)
	}
	// A truncated gzip file is an error, not a shorter space.
	whole, err := os.ReadFile("../testdata/coulomb_ktt-RTX_2080_Ti.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(bytes.NewReader(whole[:len(whole)/2]), "x", nil); err == nil {
		t.Error("half a gzip file is read without an error")
	}
}

func TestManifestByNameOrFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("small.csv", smallSpace)
	for _, text := range []string{`{"small": {"parameters": {"a": [4, 2]}, "constraints": ["a > 1"]}}`,
		`{"other name": {"file": "small.csv", "parameters": {"a": [4, 2]}}}`} {
		m, err := ReadManifest(write("manifest.json", text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(file, m)
		if err != nil || r.Name != "small" || r.Space.Parameters[0].Values[0] != 4 {
			t.Errorf("%s: %+v, %v; want a's values as declared", text, r, err)
		}
	}
	if _, err := ReadManifest(write("bad.json", `[1]`)); err == nil || !strings.Contains(err.Error(), "bad.json") {
		t.Errorf("a manifest that is a list: %v", err)
	}
	twice := Manifest{"small": {Parameters: map[string][]float64{"a": {4, 2, 4}}}}
	if _, err := Open(file, twice); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a value listed twice: %v", err)
	}
}

func TestWriteRecordedReadsBack(t *testing.T) {
	r, err := Open("../testdata/convolution_milo_old-A4000.csv.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b, r.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, r, again)
	labelled := &Space{Space: &tuning.Space{Parameters: []tuning.Parameter{{Name: "s", Labels: []string{"x"}}}}}
	if err := labelled.Write(&b); err == nil {
		t.Error("labels are written as numbers")
	}
}

// same wants every point of a in b with the same cost.
func same(t *testing.T, a, b *Space) {
	t.Helper()
	if a.Space.Len() != b.Space.Len() {
		t.Fatalf("%d points, want %d", b.Space.Len(), a.Space.Len())
	}
	for i, want := range a.Costs {
		j := b.Space.Find(a.Space.Indexes(i))
		if j < 0 {
			t.Fatalf("point %d is not there", i)
		}
		got := b.Costs[j]
		if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > 1e-12*want {
			t.Fatalf("point %d costs %v, want %v", i, got, want)
		}
	}
}

func TestShuffledKeepsCosts(t *testing.T) {
	r, err := Open("../testdata/coulomb_ktt-RTX_2080_Ti.csv.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Shuffled(rand.New(rand.NewPCG(1, 2)))
	same(t, r, s)
	moved := 0
	for i := range r.Costs {
		if r.Costs[i] != s.Costs[i] {
			moved++
		}
	}
	if moved < r.Space.Len()/2 {
		t.Errorf("only %d points moved", moved)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(smallSpace))
	f.Add([]byte("a,time_ms,status\n\"1\n\",1e300,valid\n"))
	f.Add([]byte("status,p q,time_ms\nvalid,-0,1\nvalid,1e-3,2\n"))
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(smallSpace))
	z.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text), "fuzz", nil)
		if err != nil {
			return
		}
		if r.Space.Len() == 0 || r.Space.Len() != len(r.Costs) {
			t.Fatalf("%d points, %d costs", r.Space.Len(), len(r.Costs))
		}
		for _, c := range r.Costs {
			if c < 0 || math.IsInf(c, 0) {
				t.Fatalf("cost %v", c)
			}
		}
		var out bytes.Buffer
		if err := r.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out, "fuzz", nil)
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if again.Space.Len() != r.Space.Len() {
			t.Fatalf("%d points, want %d", again.Space.Len(), r.Space.Len())
		}
	})
}

// What compiling and running took is read, kept beside its point, and written.
func TestSeconds(t *testing.T) {
	const text = "a,time_ms,compile_s,status,run_s\n4,2,0.5,valid,0.25\n2,,3,invalid,\n1,7,,valid,1\n"
	r, err := Read(strings.NewReader(text), "x", nil)
	if err != nil || !slices.Equal(r.Compile, []float64{0.5, 3, 0}) || !slices.Equal(r.Run, []float64{0.25, 0, 1}) {
		t.Fatalf("%+v, %v", r, err)
	}
	var out bytes.Buffer
	if err := r.Shuffled(rand.New(rand.NewPCG(1, 2))).Write(&out); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&out, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Space.Len() {
		trial := again.Trial(0, i)
		at := r.Space.Find(again.Space.Indexes(i))
		if want := r.Trial(0, at); trial.CompileSeconds != want.CompileSeconds || trial.RunSeconds != want.RunSeconds || trial.OK != want.OK {
			t.Errorf("%+v, want %+v", trial, want)
		}
	}
	for from, want := range map[string]string{
		",0.5,":      "compile_s is \"-1\", not the seconds that it took",
		",run_s":     "of the columns compile_s and run_s there is only one",
		"valid,0.25": "run_s is \"soon\", not the seconds that it took",
	} {
		bad := strings.Replace(text, from, map[string]string{",0.5,": ",-1,", ",run_s": ",other", "valid,0.25": "valid,soon"}[from], 1)
		if _, err := Read(strings.NewReader(bad), "x", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", bad, err, want)
		}
	}
	r.Run = []float64{0, 0, 0}
	if r.ForgetUnknown(); r.Compile != nil || r.Run != nil {
		t.Error("a space of which nothing ran has no clock")
	}
}
