package record

import (
	"math"
	"testing"
)

// TestExecutedRates: rates of what a version executes follow from its counts, in a run from files
// without these columns too, and stand beside the nominal ones.
func TestExecutedRates(t *testing.T) {
	row := Row{
		Time:   Statistics{Median: Measured(2e-3)},
		Work:   WorkRates{FLOPs: Counted(6e9), GFLOPPerS: Measured(1)},
		Memory: MemoryRates{LoadBytes: Counted(3e9), StoreBytes: Counted(1e9), GBytePerS: Measured(5)},
		Energy: RareOf(Energy{Total: Measured(0.5)}),
		Power:  RareOf(Power{PerWatt: Measured(7), BytesPerWatt: Measured(9)}),
	}
	row.deriveExecuted()
	for _, c := range []struct {
		rates Rates
		want  [4]float64
	}{{"", [4]float64{1, 5, 7, 9}}, {NominalRates, [4]float64{1, 5, 7, 9}}, {ExecutedRates, [4]float64{3000, 2000, 12, 8}}} {
		r := &Run{Rates: c.rates}
		for i, got := range []Number{r.FLOPRate(&row), r.ByteRate(&row), r.FLOPsPerJoule(&row), r.BytesPerJoule(&row)} {
			if math.Abs(got.Float()-c.want[i]) > 1e-9*c.want[i] {
				t.Errorf("%q: rate %d is %v, want %v", c.rates, i, got.Float(), c.want[i])
			}
		}
	}
	if p := row.Power.Get(); p.Loaded.Float() != 6 || p.Stored.Float() != 2 {
		t.Errorf("%+v", p)
	}
	row.Memory.StoreBytes = Count{}
	if row.deriveExecuted(); row.Memory.Accessed.IsSet() || row.Power.Get().Accessed.IsSet() || !row.Power.Get().Loaded.IsSet() {
		t.Error("without its stores there is a rate of all accesses")
	}
}

func TestRatesWords(t *testing.T) {
	var r Rates
	if r.String() != "nominal" || r.Set("executed") != nil || r != ExecutedRates || r.Set("real") == nil {
		t.Errorf("%q", r)
	}
}
