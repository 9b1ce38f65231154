package record

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// Every real number of a Result must come back from the journal, whatever it
// is: the test fills all of them, so that a field added later is covered too.
func TestResultKeepsEveryNonFiniteNumber(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		r := testResult(0)
		r.Point.Params = framework.Values{"N": framework.IntValue(1)}
		r.Cold = &measure.Series{Samples: []float64{1, 2}}
		r.Energy = &measure.Energy{
			Channels: []measure.ChannelEnergy{{Channel: "VDD_GPU"}, {Channel: "VDD_IN"}},
			Samples:  []measure.PowerSample{{Channel: "VDD_GPU"}},
		}
		r.TemperatureBefore = map[string]float64{"gpu": 1}
		r.TemperatureAfter = map[string]float64{"gpu": 1}
		if n := setReals(reflect.ValueOf(&r).Elem(), x); n < 20 {
			t.Fatalf("only %d numbers set", n)
		}
		b, err := r.MarshalJSON()
		if err != nil {
			t.Fatalf("%v: %v", x, err)
		}
		var back Result
		if err := back.UnmarshalJSON(b); err != nil {
			t.Fatalf("%v: %v\n%s", x, err, b)
		}
		if n := countReals(reflect.ValueOf(back), x); n != countReals(reflect.ValueOf(r), x) {
			t.Errorf("%v: %d of them came back in\n%s", x, n, b)
		}
		if r.Checks[0].Error == 0 {
			t.Error("MarshalJSON changed its receiver")
		}
	}
}

func TestUnmarshalRefusesBadNonFinite(t *testing.T) {
	var r Result
	err := r.UnmarshalJSON([]byte(`{"elapsed_s":0,"non_finite":{"elapsed_s":"much"}}`))
	if err == nil || !strings.Contains(err.Error(), "elapsed_s") {
		t.Errorf("error %v", err)
	}
}

func setReals(v reflect.Value, x float64) (n int) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(x)
		n = 1
	case reflect.Pointer:
		if !v.IsNil() {
			n = setReals(v.Elem(), x)
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += setReals(v.Index(i), x)
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Float64 {
			for _, k := range v.MapKeys() {
				v.SetMapIndex(k, reflect.ValueOf(x))
				n++
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				n += setReals(v.Field(i), x)
			}
		}
	}
	return n
}

func countReals(v reflect.Value, x float64) (n int) {
	switch v.Kind() {
	case reflect.Float64:
		if y := v.Float(); y == x || math.IsNaN(x) && math.IsNaN(y) {
			n = 1
		}
	case reflect.Pointer:
		if !v.IsNil() {
			n = countReals(v.Elem(), x)
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += countReals(v.Index(i), x)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			n += countReals(v.MapIndex(k), x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n += countReals(v.Field(i), x)
			}
		}
	}
	return n
}
