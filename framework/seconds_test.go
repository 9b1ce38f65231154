package framework

import (
	"math"
	"strings"
	"testing"
)

func TestCheckSeconds(t *testing.T) {
	for x, want := range map[float64]string{
		1e-15: "", 1e9: "", 0.5: "",
		0: "want seconds above 0", -1: "want seconds above 0", 5e-324: "no clock gives", 9e-16: "no clock gives", 1.1e9: "no clock gives", 1.7e308: "no clock gives",
		math.Inf(1): "no clock gives", math.Inf(-1): "want seconds above 0",
	} {
		if err := CheckSeconds(x); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%g: %v; want %q", x, err, want)
		}
	}
	if CheckSeconds(math.NaN()) == nil {
		t.Error("NaN is no time")
	}
}

// TestCountsBeyond64Bits: a formula that passes 2^63 gives what is negative.
func TestCountsBeyond64Bits(t *testing.T) {
	if err := (Work{NominalFLOPs: math.MaxInt64, Items: 1}).Check(); err != nil {
		t.Error(err)
	}
	n := int64(1) << 62
	if err := (Work{StoreBytes: 2 * n}).Check(); err == nil || !strings.Contains(err.Error(), "store_bytes = -9223372036854775808: beyond 64 bits") {
		t.Error(err)
	}
}
