package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// values writes the values as in a CSV, a float with its decimal point.
func values(list []framework.Value) string {
	var s []string
	for _, v := range list {
		b, _ := v.MarshalJSON()
		s = append(s, string(b))
	}
	return strings.Join(s, " ")
}

func arguments(list []Argument) (s []string) {
	for _, x := range list {
		s = append(s, x.Name+"="+values([]framework.Value{x.Value}))
	}
	return s
}

func axes(list []Axis) (s []string) {
	for _, a := range list {
		text := a.Name + "=" + values(a.Values)
		if a.Geometric {
			text += " geometric"
		}
		s = append(s, text)
	}
	return s
}

func TestSettingForms(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`[]`, nil},
		{`{}`, nil},
		{`[["--length", 32], ["--version", 4]]`, []string{"--length=32", "--version=4"}},
		{`["--length", 32]`, []string{"--length=32"}},
		{`["--mode", "fast"]`, []string{`--mode="fast"`}},
		{`{"--length": 32, "scale": 0.5}`, []string{"--length=32", "scale=0.5"}},
		{`{"name": "--length", "value": 32}`, []string{"--length=32"}},
		{`[{"name": "--length", "value": 32}, {"version": 4, "b": 5}, ["c", 6]]`, []string{"--length=32", "version=4", "b=5", "c=6"}},
		{`{"a": 1e3, "b": 2.0, "c": -7, "d": 1.5E-3}`, []string{"a=1000", "b=2.0", "c=-7", "d=0.0015"}},
		{`{"a": 9223372036854775807, "b": 9223372036854775808}`, []string{"a=9223372036854775807", "b=9.223372036854776e+18"}},
	} {
		for _, key := range []string{`"static_args": %s`, `"run_arg": {"one": %s}`, `"run_arg": {"many": %s}`} {
			cfg, err := Parse("x.json", []byte(`{"executable": "x", `+fmt.Sprintf(key, c.text)+`}`))
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
				continue
			}
			got := arguments(append(append(cfg.Static, cfg.One...), cfg.Many...))
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: got %q, want %q", c.text, got, c.want)
			}
		}
	}
}

func TestAxisForms(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`[]`, nil},
		{`{}`, nil},
		{`{"name": "--inputsize", "values": [10, 1000, 10000]}`, []string{"--inputsize=10 1000 10000"}},
		{`[{"name": "a", "values": [1]}, {"name": "b", "values": [2, 3]}]`, []string{"a=1", "b=2 3"}},
		{`[["--N", [64, 128]]]`, []string{"--N=64 128"}},
		{`["--N", [64, 128]]`, []string{"--N=64 128"}},
		{`[["--N", [64, 128]], ["p", ["f32", "f64"]]]`, []string{"--N=64 128", `p="f32" "f64"`}},
		{`{"N": [64, 128], "batch_elements": {"from": 1024, "to": 4096, "factor": 2}}`,
			[]string{"N=64 128", "batch_elements=1024 2048 4096 geometric"}},
		{`{"N": 64, "p": "f32"}`, []string{"N=64", `p="f32"`}},
		{`["N", {"from": 1, "to": 3, "step": 1}]`, []string{"N=1 2 3"}},
		// Lists that grow by one factor.
		{`{"N": [64, 128, 256]}`, []string{"N=64 128 256 geometric"}},
		{`{"N": [0.1, 0.3, 0.9]}`, []string{"N=0.1 0.3 0.9 geometric"}},
		{`{"N": [64, 128]}`, []string{"N=64 128"}},
		{`{"N": [64, 128, 257]}`, []string{"N=64 128 257"}},
		{`{"N": [256, 128, 64]}`, []string{"N=256 128 64"}},
		{`{"N": [-1, -2, -4]}`, []string{"N=-1 -2 -4"}},
		{`{"N": ["a", "b", "c"]}`, []string{`N="a" "b" "c"`}},
		{`{"N": [0, 1, 2]}`, []string{"N=0 1 2"}},
		{`{"N": [1e6, 11e5, 121e4, 1331e3]}`, []string{"N=1000000 1100000 1210000 1331000 geometric"}},
		{`{"N": [1e6, 2e6, 3e6]}`, []string{"N=1000000 2000000 3000000"}},
		// Ranges; "to" is included if it is reached.
		{`{"N": {"from": 1, "to": 10, "step": 4}}`, []string{"N=1 5 9"}},
		{`{"N": {"from": 1, "to": 9, "step": 4}}`, []string{"N=1 5 9"}},
		{`{"N": {"from": 5, "to": 5, "step": 4}}`, []string{"N=5"}},
		{`{"N": {"from": -4, "to": 4, "step": 4}}`, []string{"N=-4 0 4"}},
		{`{"N": {"from": 0.1, "to": 0.7, "step": 0.1}}`, []string{"N=0.1 0.2 0.3 0.4 0.5 0.6 0.7"}},
		{`{"N": {"from": 0, "to": 1, "step": 0.25}}`, []string{"N=0.0 0.25 0.5 0.75 1.0"}},
		{`{"N": {"from": 64, "to": 1000, "factor": 2}}`, []string{"N=64 128 256 512 geometric"}},
		{`{"N": {"from": 1, "to": 1000, "factor": 10}}`, []string{"N=1 10 100 1000 geometric"}},
		{`{"N": {"from": 1, "to": 3.375, "factor": 1.5}}`, []string{"N=1.0 1.5 2.25 3.375 geometric"}},
		{`{"N": {"from": 0.001, "to": 10, "factor": 10}}`, []string{"N=0.001 0.01 0.1 1.0 10.0 geometric"}},
		{`{"N": {"from": 4611686018427387904, "to": 9223372036854775807, "factor": 2}}`, []string{"N=4611686018427387904 geometric"}},
		{`{"N": {"from": 4611686018427387903, "to": 9223372036854775807, "factor": 2}}`, []string{"N=4611686018427387903 9223372036854775806 geometric"}},
		// However small the step or the factor, none is beyond "to".
		{`{"N": {"from": 0.000001, "to": 0.000003, "step": 0.000001}}`, []string{"N=1e-06 2e-06 3e-06"}},
		{`{"N": {"from": 1, "to": 1.0000002, "factor": 1.0000001}}`, []string{"N=1.0 1.0000001 geometric"}},
		{`{"N": {"from": 9223372036854775806, "to": 9223372036854775807, "step": 4}}`, []string{"N=9223372036854775806"}},
	} {
		for _, key := range []string{"sweep_arg", "tunables"} {
			cfg, err := Parse("x.json", []byte(`{"algorithm": "x", "`+key+`": `+c.text+`}`))
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
				continue
			}
			got := axes(append(cfg.Sweep, cfg.Tunables...))
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: got %q, want %q", c.text, got, c.want)
			}
		}
	}
}

func TestPublishedExample(t *testing.T) {
	cfg, err := Load("../../configs/paper-example.json")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Executable != "/path/to/executable" || cfg.Processor != framework.GPU ||
		cfg.Kernel != "functionName" || cfg.Prefix != "testOutput" {
		t.Errorf("got %+v", cfg)
	}
	got := fmt.Sprint(arguments(cfg.Static), arguments(cfg.One), arguments(cfg.Many), axes(cfg.Sweep))
	const want = "[--length=32 --version=4] [--runs=1] [--runs=150] [--inputsize=10 1000 10000]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if cfg.Measure != DefaultMeasure() {
		t.Errorf("an executable's runs are not samples: got %+v", cfg.Measure)
	}
}

func TestDefaults(t *testing.T) {
	cfg, err := Parse("some/fft.json", []byte(`{"algorithm": "fft"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Measure{Repeats: 1, MinSamples: 10, MinTime: 0.5, Noise: 0.005, Timeout: 15, Releases: 10000, PointTimeout: 60, PowerWindow: 2, CoolDown: 10,
		Flush: FlushClean, CPUCaches: Hot, CPUAffinity: Shared, ClockFraction: 0.75, Ceilings: true}
	if cfg.Measure != want || cfg.Prefix != "fft" || cfg.Sensors != nil || cfg.Versions != nil || cfg.Processor != "" {
		t.Errorf("got %+v", cfg)
	}
	// printf '{"algorithm":"fft"}' | sha256sum, and with the space
	if cfg.Hash != "11245a0cf0045d82211c4fad4a968b7ed25701140ac527a46984e7e06322ca46" || cfg.OldHash != "10fb7a1b55fb6adf41fd58fa81296ca3d8efcc5d3d81493469d1044b46d82aa5" {
		t.Errorf("hashes %s, %s", cfg.Hash, cfg.OldHash)
	}
	for path, prefix := range map[string]string{"a.b.json": "a.b", ".json": "bench", ".x.json": "x", "config": "config"} {
		if cfg, err := Parse(path, []byte(`{"algorithm": "fft"}`)); err != nil || cfg.Prefix != prefix {
			t.Errorf("%s: got %v, %v; want %s", path, cfg, err, prefix)
		}
	}
}

func TestSettingsOfMeasuring(t *testing.T) {
	cfg, err := Parse("x.json", []byte(`{"algorithm": "fft", "processor": "auto", "sensors": [], "versions": ["b", "a"],
		"output_file_prefix": "out", "run_arg": {"many": ["--runs", 150]},
		"measure": {"repeats": 4, "min_time_s": 1, "noise": 0.01, "timeout_s": 2, "releases": 500, "miss_share": 0.01, "point_timeout_s": 3,
		"power_window_s": 2.5, "cooldown_s": 0, "flush_bytes": 4096, "flush": "dirty", "cpu_caches": "cold", "cpu_affinity": "pinned", "clock_fraction": 1, "ceilings": false, "stages": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Measure{Repeats: 4, MinSamples: 150, MinTime: 1, Noise: 0.01, Timeout: 2, Releases: 500, MissShare: 0.01, PointTimeout: 3, PowerWindow: 2.5, FlushBytes: 4096,
		Flush: FlushDirty, CPUCaches: Cold, CPUAffinity: Pinned, ClockFraction: 1, Stages: true}
	if cfg.Measure != want {
		t.Errorf("got %+v", cfg.Measure)
	}
	if cfg.Processor != "" || cfg.Sensors == nil || len(cfg.Sensors) != 0 || cfg.Prefix != "out" ||
		!reflect.DeepEqual(cfg.Versions, []string{"b", "a"}) {
		t.Errorf("got %+v", cfg)
	}
	cfg, err = Parse("x.json", []byte(`{"algorithm": "fft", "run_arg": {"many": ["--runs", 150]}, "measure": {"min_samples": 3}}`))
	if err != nil || cfg.Measure.MinSamples != 3 {
		t.Errorf("min_samples goes before run_arg: got %+v, %v", cfg, err)
	}
}

func TestPlace(t *testing.T) {
	cfg, err := Parse("x.json", []byte("{\n\t\"algorithm\": \"é\", \"versions\": [\"a\",\n \"b\"],\r\n"+
		`"static_args": {"B": 1}, "sweep_arg": {"N": [1, 2], "M": {"from": 1, "to": 2, "step": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got  Position
		want string
	}{
		{cfg.PositionOf("algorithm"), "{2 15 algorithm}"},
		{cfg.PositionOf("versions[0]"), "{2 33 versions[0]}"},
		{cfg.PositionOf("versions[1]"), "{3 2 versions[1]}"},
		{cfg.PositionOf("sensors[1]"), "{0 0 sensors[1]}"},
		{cfg.Static[0].Pos, "{4 17 static_args.B}"},
		{cfg.Static[0].ValuePos(), "{4 22 static_args.B}"},
		{cfg.Sweep[0].Pos, "{4 40 sweep_arg.N}"},
		{cfg.Sweep[0].ValuePos(1), "{4 49 sweep_arg.N[1]}"},
		{cfg.Sweep[1].ValuePos(1), "{4 58 sweep_arg.M}"},
		{Axis{Pos: Position{1, 2, "x"}}.ValuePos(3), "{1 2 x}"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestExternalPower(t *testing.T) {
	for text, want := range map[string]framework.ExternalPower{
		`[{"external": {"command": ["meter", "-a", "-a"]}}, "nvml"]`:   {Command: []string{"meter", "-a", "-a"}},
		`[{"external": {"file": "/run/watts"}}, "nvml"]`:               {File: "/run/watts"},
		`[{"external": {"stamped_command": ["meter", "-t"]}}, "nvml"]`: {StampedCommand: []string{"meter", "-t"}},
	} {
		cfg, err := Parse("x.json", []byte(`{"algorithm": "fft", "sensors": `+text+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(cfg.Sensors, []string{"external", "nvml"}) || cfg.External == nil || !reflect.DeepEqual(*cfg.External, want) {
			t.Errorf("%s: sensors %v, external %+v", text, cfg.Sensors, cfg.External)
		}
	}
}

func TestCalibration(t *testing.T) {
	cfg, err := Parse("x.json", []byte(`{"algorithm": "fft", "calibration": {"nvml": {"gain": 0.01}, "ina3221 VDD_IN": {"gain": 0.003, "offset_W": 0.02, "source": "certificate"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]framework.Calibration{"nvml": {Gain: 0.01, Source: "config"}, "ina3221 VDD_IN": {Gain: 0.003, Offset: 0.02, Source: "certificate"}}
	if !maps.Equal(cfg.Calibration, want) {
		t.Errorf("%+v", cfg.Calibration)
	}
	for text, why := range map[string]string{
		`{"nvml": {"offset_W": 1}}`:                `calibration.nvml: the key "gain" is missing`,
		`{"nvml": {"gain": -0.1}}`:                 "-0.1 is less than 0",
		`{"nvml": {"gain": 1}}`:                    "1 is not below 1",
		`{"nvml": {"gain": 0, "of": 1}}`:           "unknown key",
		`{"nvml": {"gain": 0, "offset_W": "1 W"}}`: "want a number",
	} {
		if _, err := Parse("x.json", []byte(`{"algorithm": "fft", "calibration": `+text+`}`)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
	}
}

// TestDefaultsFollowThePoint: what a point may take is enough to say.
func TestDefaultsFollowThePoint(t *testing.T) {
	for _, c := range []struct {
		measure         string
		timeout, window float64
	}{{`{"point_timeout_s": 6}`, 2, 2}, {`{"point_timeout_s": 1.5}`, 0.5, 0.5}, {`{"point_timeout_s": 15}`, 15, 2}, {`{"point_timeout_s": 6, "timeout_s": 5}`, 5, 2}} {
		cfg, err := Parse("x.json", []byte(`{"algorithm": "a", "measure": `+c.measure+`}`))
		if err != nil || cfg.Measure.Timeout != c.timeout || cfg.Measure.PowerWindow != c.window {
			t.Errorf("%s: %v, %+v", c.measure, err, cfg)
		}
	}
}

// A config that run.json holds, in which Go's encoder has escaped three characters, is the same.
func TestHashOfEscapes(t *testing.T) {
	text := `{"algorithm": "fft", "sweep_arg": {"N": [64]}, "output_file_prefix": "a<b>&c"}`
	plain, err := Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	escaped, err := json.Marshal(json.RawMessage(text))
	if err != nil || !strings.Contains(string(escaped), `\u003c`) {
		t.Fatalf("%s, %v", escaped, err)
	}
	if kept, err := Parse("x.json", escaped); err != nil || kept.Hash != plain.Hash {
		t.Errorf("%v: another hash", err)
	}
}
