package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/internal/bounded"
)

const setBase = `{"algorithm": "a", "static_args": {"--precision": "f32", "scale": 0.5},
 "sweep_arg": {"N": {"from": 1, "to": 8, "factor": 2}, "batch": [3, 4]}, "tunables": {"LANES": [1, 2]}}`

func TestSetReplaces(t *testing.T) {
	for _, c := range []struct {
		assign                   []string
		static, sweep, tunables  []string
		recorded                 []string
		settingPlace, valuePlace string
	}{
		{[]string{"N=64,256"}, nil, []string{"N=64 256", "batch=3 4"}, nil, nil, "", "--set N"},
		{[]string{"--batch=1e3"}, nil, []string{"N=1 2 4 8 geometric", "batch=1000"}, nil, []string{"batch=1e3"}, "", ""},
		{[]string{"precision=f64"}, []string{`--precision="f64"`, "scale=0.5"}, nil, nil, nil, "--set precision", ""},
		{[]string{"scale=1,2,4.0"}, []string{`--precision="f32"`}, []string{"N=1 2 4 8 geometric", "batch=3 4", "scale=1 2 4.0 geometric"}, nil, nil, "", ""},
		{[]string{"LANES=8"}, nil, nil, []string{"LANES=8"}, nil, "", ""},
		{[]string{"other=-7", "more=x,y=z"}, []string{`--precision="f32"`, "scale=0.5", "other=-7"},
			[]string{"N=1 2 4 8 geometric", "batch=3 4", `more="x" "y=z"`}, nil, nil, "", ""},
		{[]string{"N=1..5"}, nil, []string{"N=1 2 3 4 5", "batch=3 4"}, nil, nil, "", ""},
		{[]string{"N=2,64..256*2,300..500+100"}, nil, []string{"N=2 64 128 256 300 400 500", "batch=3 4"}, nil, nil, "", ""},
		{[]string{"N=64..512*2"}, nil, []string{"N=64 128 256 512 geometric", "batch=3 4"}, nil, nil, "", ""},
		{[]string{"scale=0.5..1+0.25"}, []string{`--precision="f32"`}, []string{"N=1 2 4 8 geometric", "batch=3 4", "scale=0.5 0.75 1.0"}, nil, nil, "", ""},
		{[]string{"N=1..1e+1+3"}, nil, []string{"N=1 4 7 10", "batch=3 4"}, nil, nil, "", ""},
		{[]string{"precision=../f.."}, []string{`--precision="../f.."`, "scale=0.5"}, nil, nil, nil, "", ""},
		{[]string{"WIDE=1..3", "LANES=4"}, nil, nil, []string{"LANES=4", "WIDE=1 2 3"}, nil, "", ""},
		{[]string{"precision=0x10"}, []string{`--precision="0x10"`, "scale=0.5"}, nil, nil, nil, "", ""},
	} {
		cfg, err := Parse("x.json", []byte(setBase))
		if err != nil {
			t.Fatal(err)
		}
		if c.static == nil {
			c.static = arguments(cfg.Static)
		}
		if c.sweep == nil {
			c.sweep = axes(cfg.Sweep)
		}
		if c.tunables == nil {
			c.tunables = axes(cfg.Tunables)
		}
		if c.recorded == nil {
			c.recorded = c.assign
		}
		if err := cfg.Set(c.assign, []string{"WIDE"}); err != nil {
			t.Errorf("%q: %v", c.assign, err)
		}
		for _, x := range []struct {
			what      string
			got, want []string
		}{{"static", arguments(cfg.Static), c.static}, {"sweep", axes(cfg.Sweep), c.sweep}, {"tunables", axes(cfg.Tunables), c.tunables}, {"recorded", cfg.Assignments, c.recorded}} {
			if !reflect.DeepEqual(x.got, x.want) {
				t.Errorf("%q: %s %q, want %q", c.assign, x.what, x.got, x.want)
			}
		}
		if got := cfg.Static[0]; c.settingPlace != "" && (got.ValuePos().Path != c.settingPlace || got.Pos.Path != c.settingPlace) {
			t.Errorf("%q: places %+v", c.assign, got)
		}
		if got := cfg.Sweep[0]; c.valuePlace != "" && (got.ValuePos(1).Path != c.valuePlace || got.Pos.Path != c.valuePlace) {
			t.Errorf("%q: places %+v", c.assign, got)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	const program = `{"executable": "p", "static_args": [["--length", 3]], "sweep_arg": ["-b", [1]]}`
	for _, c := range []struct {
		text   string
		assign []string
		want   string
	}{
		{setBase, []string{"N"}, `x.json: --set: "N" is not an assignment; want NAME=VALUE or NAME=VALUE,VALUE…`},
		{setBase, []string{"N="}, `x.json: --set: "N=" is not an assignment; want NAME=VALUE or NAME=VALUE,VALUE…`},
		{setBase, []string{"--=3"}, `x.json: --set: "--=3" is not an assignment; want NAME=VALUE or NAME=VALUE,VALUE…`},
		{setBase, []string{"N=1,,2"}, `x.json: --set N: "1,,2" has an empty value; want NAME=VALUE,VALUE…`},
		{setBase, []string{"N=1,2,1"}, `x.json: --set N: "1" is listed twice; remove one`},
		{setBase, []string{"N=4..1"}, `x.json: --set N: to (1) is less than from (4); want a range that ascends`},
		{setBase, []string{"N=1..1e9"}, `x.json: --set N: the range has 1e+09 values; want at most 100000`},
		{setBase, []string{"N=1..4,3"}, `x.json: --set N: "3" is listed twice; remove one`},
		{setBase, []string{"N=1..4+0"}, `x.json: --set N: a range's step is 0; want more than 0`},
		{setBase, []string{"N=1..4*1"}, `x.json: --set N: a range from 1 by the factor 1; want a factor of more than 1, and a first value of more than 0`},
		{setBase, []string{"N=1", "--N=2"}, `x.json: --set N: it is set twice; want one --set with all values, NAME=VALUE,VALUE…`},
		{setBase, []string{"stages=yes"}, `x.json: --set stages: want stages=true or stages=false: whether each kernel of a run is measured alone`},
		{setBase, []string{"stages=true,false"}, `x.json: --set stages: want stages=true or stages=false: whether each kernel of a run is measured alone`},
		{program, []string{"lenght=4"}, `x.json: --set lenght: the program has no argument "lenght" here; did you mean "length"? arguments: b, length`},
	} {
		cfg, err := Parse("x.json", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := cfg.Set(c.assign, []string{"WIDE"}); err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.assign, err, c.want)
		}
	}
}

// TestSetStages: true and false are of measure, a number is a parameter's.
func TestSetStages(t *testing.T) {
	for value, on := range map[string]bool{"true": true, "false": false, "4": false} {
		cfg, err := Parse("x.json", []byte(setBase))
		if err != nil {
			t.Fatal(err)
		}
		had := len(cfg.Static)
		if err := cfg.Set([]string{"stages=" + value}, nil); err != nil {
			t.Error(err)
		}
		if parameter := len(cfg.Static) > had; cfg.Measure.Stages != on || parameter != (value == "4") {
			t.Errorf("stages=%s: measure.stages %v, a parameter %v", value, cfg.Measure.Stages, parameter)
		}
	}
}

func TestSetOnAProgramKeepsItsDashes(t *testing.T) {
	cfg, err := Parse("x.json", []byte(`{"executable": "p", "static_args": [["--length", 3], ["-b", 1]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.Set([]string{"length=4,5", "b=2"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := append(arguments(cfg.Static), axes(cfg.Sweep)...); !slices.Equal(got, []string{"-b=2", "--length=4 5"}) {
		t.Errorf("%q", got)
	}
}

// A pipe can be read once, and has no name.
func TestLoadReadsStandardInputAndPipes(t *testing.T) {
	pipe := func(text string) *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			w.WriteString(text)
			w.Close()
		}()
		t.Cleanup(func() { r.Close() })
		return r
	}
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	os.Stdin = pipe(setBase)
	cfg, err := Load("-")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Path != "standard input" || cfg.Prefix != "stdin" || cfg.Text != setBase || len(cfg.Sweep) != 2 {
		t.Errorf("%+v", cfg)
	}
	os.Stdin = pipe("{\n}")
	if _, err := Load("-"); err == nil || !strings.HasPrefix(err.Error(), `standard input:1:1: want the key "algorithm"`) {
		t.Errorf("error %v", err)
	}
	os.Stdin = pipe(strings.Repeat(" ", bounded.MostText+1))
	if _, err := Load("-"); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Errorf("error %v", err)
	}
	r := pipe(setBase)
	if cfg, err := Load(filepath.Join("/dev/fd", strconv.Itoa(int(r.Fd())))); err != nil || cfg.Text != setBase {
		t.Errorf("%v, %v", cfg, err)
	}
}

// Each value of an axis is what --set takes; a program's flag is named with its dashes or
// without.
func TestSweepSettings(t *testing.T) {
	c, err := Parse("fft.json", []byte(`{"algorithm": "fft", "sweep_arg": {"N": [64, 128], "--n": [1]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"N": "N=64 N=128", "n": "--n=1", "M": ""} {
		if got := strings.Join(c.SweepSettings(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if c.SweepSettings("M") != nil {
		t.Error("an axis that is not swept has settings")
	}
}
