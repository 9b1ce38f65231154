package gpu

import (
	"slices"
	"testing"
)

func TestPortableSources(t *testing.T) {
	own := Source{Headers: map[string]string{"own.h": "x"}, Options: []string{"--fmad=false", "-cl-mad-enable"}}
	for _, c := range []struct {
		facts Facts
		want  []string
	}{{Facts{}, own.Options}, {Facts{OpenCL: &OpenCL{}}, []string{"-cl-mad-enable"}}} {
		got := own.Portable(c.facts)
		if got.Headers["portable.h"] == "" || got.Headers["own.h"] != "x" || !slices.Equal(got.Options, c.want) {
			t.Errorf("on %+v: %+v", c.facts.OpenCL, got)
		}
	}
	if len(own.Headers) != 1 || len(own.Options) != 2 {
		t.Errorf("the source was changed: %+v", own)
	}
	if got := (Source{}).Portable(Facts{}); got.Headers["portable.h"] == "" {
		t.Error("a source without headers gets no portable.h")
	}
}

func TestDoubles(t *testing.T) {
	for want, facts := range map[bool]Facts{true: {}, false: {OpenCL: &OpenCL{Extensions: []string{"cl_khr_fp16"}}}} {
		if facts.Doubles() != want {
			t.Errorf("%+v: want %v", facts.OpenCL, want)
		}
	}
}
