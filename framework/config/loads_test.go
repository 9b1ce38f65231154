package config

import (
	"slices"
	"strings"
	"testing"
)

// TestLoads: objects of the parameter beside are the words that they stand for, wherever a
// value may be.
func TestLoads(t *testing.T) {
	const object, text = `{"cpu": 2, "bandwidth_Bps": 2e9}`, "cpu:2+bandwidth_Bps:2e9"
	for form, want := range map[string][]string{
		`"sweep_arg": {"beside": ` + object + `}`:                                 {text},
		`"sweep_arg": {"--beside": "cpu:2"}`:                                      {"cpu:2"},
		`"sweep_arg": {"beside": ["none", ` + object + `, "gpu:0.5"]}`:            {"none", text, "gpu:0.5"},
		`"sweep_arg": {"N": [1, 2], "beside": [{"gpu": 0.25}]}`:                   {"gpu:0.25"},
		`"static_args": {"beside": ` + object + `}`:                               {text},
		`"sweep_arg": [{"beside": ["none", {"gpu_bandwidth_Bps": 12500000000}]}]`: {"none", "gpu_bandwidth_Bps:1.25e10"},
	} {
		c, err := Parse("x.json", []byte(`{"algorithm": "fft", `+form+`}`))
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		var got []string
		for _, a := range c.Sweep {
			for _, v := range a.Values {
				if strings.TrimLeft(a.Name, "-") == "beside" {
					got = append(got, v.String())
				}
			}
		}
		for _, a := range c.Static {
			got = append(got, a.Value.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", form, got, want)
		}
	}
	for values, want := range map[string]string{
		`{"cpus": 2}`:                   `sweep_arg.beside.cpus: unknown key; did you mean "cpu"?`,
		`{}`:                            "want one of the keys bandwidth_Bps, cpu, gpu, gpu_bandwidth_Bps",
		`[{"cpu": 0}]`:                  "sweep_arg.beside[0].cpu: 0 is less than 1",
		`{"gpu": 1.5}`:                  "1.5 is more than 1",
		`{"gpu": "x"}`:                  `got a string ("x"); want a number`,
		`[{"cpu": 2}, "none", "cpu:2"]`: `"cpu:2" is listed twice`,
	} {
		if _, err := Parse("x.json", []byte(`{"algorithm": "fft", "sweep_arg": {"beside": `+values+`}}`)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", values, err, want)
		}
	}
}
