package powermode

import (
	"errors"
	"testing"

	"example.org/bench/framework/machine"
)

// The present mode is marked; masks are shown where there are some, and a doubt below.
func TestOverviewText(t *testing.T) {
	o := &Overview{Current: "1", Modes: []Mode{
		{ID: "0", Name: "MAXN", CPUs: "all", Limits: []Limit{{What: "GPU", Unit: "Hz"}, {What: "power", Most: 60, Unit: "W"}}},
		{ID: "1", Name: "15W", Default: true, CPUs: "4", Limits: []Limit{{What: "GPU", Most: 1.2e9, Unit: "Hz"}}},
	}, Clocks: []machine.Clock{{Name: "CPU", Min: 1e8, Max: 2e9}}}
	want := "   ID  MODE           CPUS  HIGHEST\n   0   MAXN           all   GPU no limit, power 60 W\n*  1   15W (default)  4     GPU 1200 MHz\n" +
		"\n  CLOCK  LEAST    HIGHEST   NOW\n  CPU    100 MHz  2000 MHz  ?\n"
	if got := o.Text(); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	o.Modes[0].Masks, o.Modes[0].Boot = map[string]string{"TPC": "248", "DLA": "1"}, "another mask"
	o.Doubt = errors.New("it may be another")
	want = "   ID  MODE           CPUS  HIGHEST                   UNITS OFF       SWITCH\n   0   MAXN           all   GPU no limit, power 60 W  DLA 1, TPC 248  boot into it\n*  1   15W (default)  4     GPU 1200 MHz                              at once\n" +
		"\n  CLOCK  LEAST    HIGHEST   NOW\n  CPU    100 MHz  2000 MHz  ?\n\nit may be another\n"
	if got := o.Text(); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	if got := (&Overview{Absent: "no modes"}).Text(); got != "no modes\n" {
		t.Errorf("%q", got)
	}
}
