package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"example.org/bench/configs"
)

// The schema is a valid draft-07 schema.
func TestSchemaIsDraft7(t *testing.T) {
	loader := gojsonschema.NewSchemaLoader()
	loader.Validate = true
	loader.AutoDetect = false
	loader.Draft = gojsonschema.Draft7
	if _, err := loader.Compile(gojsonschema.NewBytesLoader(configs.Schema)); err != nil {
		t.Error(err)
	}
}

// Every key that the schema allows is read: setting it changes the Config.
func TestEverySchemaKeyIsRead(t *testing.T) {
	samples := map[string]string{
		"algorithm":               `"fft"`,
		"algorithm.cuda":          `{"source": "x.cu"}`,
		"algorithm.opencl":        `{"source": "x.cl"}`,
		"executable":              `"./x"`,
		"processor":               `"CPU"`,
		"kernel_name":             `"k"`,
		"output_file_prefix":      `"out"`,
		"versions":                `["a"]`,
		"static_args":             `{"N": 1}`,
		"sweep_arg":               `{"N": 1}`,
		"tunables":                `{"N": 1}`,
		"tuning_constraints":      `["P < 9"]`,
		"sensors":                 `[]`,
		"counters":                `["dram__bytes.sum"]`,
		"calibration":             `{"nvml": {"gain": 0.01}}`,
		"run_arg.one":             `["--runs", 1]`,
		"run_arg.many":            `["--runs", 2]`,
		"measure.repeats":         `5`,
		"measure.min_samples":     `3`,
		"measure.min_time_s":      `0.25`,
		"measure.noise":           `0.25`,
		"measure.timeout_s":       `7`,
		"measure.releases":        `77`,
		"measure.miss_share":      `0.25`,
		"measure.point_timeout_s": `70`,
		"measure.power_window_s":  `1`,
		"measure.cooldown_s":      `5`,
		"measure.flush_bytes":     `4096`,
		"measure.flush":           `"dirty"`,
		"measure.cpu_caches":      `"cold"`,
		"measure.cpu_affinity":    `"pinned"`,
		"measure.clock_fraction":  `0.5`,
		"measure.stages":          `true`,
		"measure.ceilings":        `false`,
		"judge.version":           `"mine"`,
		"judge.baseline":          `"theirs"`,
		"judge.hidden":            `[{"N": 3}]`,
		"judge.hidden_at":         `[{"N": 3}]`,
		"judge.inputs":            `["zeros", "nan"]`,
		"judge.repeats":           `5`,
		"judge.energy_repeats":    `5`,
		"judge.same":              `0.5`,
		"judge.timeout_s":         `7`,
		"axis: from, to, step":    `{"from": 1, "to": 2, "step": 1}`,
		"axis: from, to, factor":  `{"from": 1, "to": 2, "factor": 2}`,
	}
	decode := func(key, value string) *Config {
		// Without an algorithm Parse gives no Config: the keys are decoded alone.
		errs := &Errors{}
		c := &Config{Measure: DefaultMeasure()}
		text := `{}`
		if key != "" {
			text = `{"` + key + `": ` + value + `}`
		}
		(&decoder{path: "x", errs: errs, c: c}).config(read("x", []byte(text), errs))
		c.positions = nil
		return c
	}
	empty := decode("", "")
	s := outline()
	for _, p := range s.get("properties").members {
		key, within := p.key, p.value.get("properties")
		if key == "$schema" { // for editors
			continue
		}
		if within == nil {
			value, ok := samples[key]
			if !ok {
				t.Errorf("the schema has %s, which no sample here sets", key)
			} else if reflect.DeepEqual(decode(key, value), empty) {
				t.Errorf("%s is in the schema, and setting it changes nothing", key)
			}
			continue
		}
		for inner := range within.index {
			value, ok := samples[key+"."+inner]
			if !ok {
				t.Errorf("the schema has %s.%s, which no sample here sets", key, inner)
			} else if reflect.DeepEqual(decode(key, `{"`+inner+`": `+value+`}`), empty) {
				t.Errorf("%s.%s is in the schema, and setting it changes nothing", key, inner)
			}
		}
	}
	for _, key := range []string{"step", "factor"} {
		sample := samples["axis: from, to, "+key]
		if c := decode("sweep_arg", `{"N": `+sample+`}`); len(c.Sweep) != 1 || len(c.Sweep[0].Values) != 2 {
			t.Errorf("%s gives %+v", sample, c.Sweep)
		}
	}
	if got := keysOf(s.at([]string{"definitions", "values"}), nil, nil); !slices.Equal(got, []string{"factor", "from", "step", "to"}) {
		t.Errorf("ranges have the keys %v", got)
	}
}

// Every field of Config that comes from the file is in the schema by its
// JSON name, and the defaults agree.
func TestEveryFieldIsInTheSchema(t *testing.T) {
	s := outline()
	names := func(x any) (list []string) {
		typ := reflect.TypeOf(x)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				list = append(list, name)
			}
		}
		return list
	}
	for _, name := range names(Config{}) {
		switch name {
		case "path", "hash", "old_hash", "text", "set", "command", "files", "closed": // of the files themselves, and of the command line
		case "cuda", "opencl":
			if s.get("properties").get("algorithm").get("properties").get(name) == nil {
				t.Errorf("the schema lacks algorithm.%s", name)
			}
		case "external":
			if s.get("definitions").get("sensor").get("properties").get(name) == nil {
				t.Errorf("a sensor of the schema lacks %s", name)
			}
		case "one", "many":
			if s.get("properties").get("run_arg").get("properties").get(name) == nil {
				t.Errorf("the schema lacks run_arg.%s", name)
			}
		default:
			if s.get("properties").get(name) == nil {
				t.Errorf("the schema lacks %s", name)
			}
		}
	}
	measured := names(Measure{})
	slices.Sort(measured)
	if keys := keysOf(s, read("", []byte(`{"measure": {}}`), nil), []string{"measure"}); !slices.Equal(keys, measured) {
		t.Errorf("measure: the schema has %v, Config %v", keys, measured)
	}

	var d struct {
		Properties struct {
			Measure struct {
				Properties map[string]struct {
					Default any `json:"default"`
				} `json:"properties"`
			} `json:"measure"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(configs.Schema, &d); err != nil {
		t.Fatal(err)
	}
	defaults := map[string]any{}
	for name, p := range d.Properties.Measure.Properties {
		defaults[name] = p.Default
	}
	b, err := json.Marshal(DefaultMeasure())
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(defaults, want) {
		t.Errorf("the schema's defaults are %v, Go's %v", defaults, want)
	}
}
