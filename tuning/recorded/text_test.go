package recorded

import "testing"

// A forecast says how many pairs it is from, and of what share its like was right.
func TestTexts(t *testing.T) {
	forecasts := []Forecast{
		{From: "gemm-A", Parameters: []string{"x", "kind"}, Settings: []float64{8, 1}, Words: map[string]string{"kind": "wide"},
			Outlook: Outlook{Pairs: 12, Median: 0.9, Low: 0.7, High: 1}, Checked: 8, Covered: 0.75},
		{From: "gemm-B", Outlook: Outlook{Pairs: 30, Others: true, Median: 0.5, Low: 0.25, High: 0.75}},
	}
	want := `BEST OF  KEEPS  80 % OF CASES  KNOWN PAIRS               TESTED     SETTINGS
gemm-A   0.90   0.70 to 1.00   12 of this kernel         75 % of 8  x=8 kind=wide
gemm-B   0.50   0.25 to 0.75   30, of other kernels too  not        
`
	if got := ForecastsText(forecasts); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	transfers := []Transfer{
		{From: "A", To: "B", Parameters: []string{"x"}, Settings: []float64{8}, Performance: 0.9},
		{From: "A", To: "C", Parameters: []string{"x"}, Settings: []float64{8}, Missing: true},
		{From: "B", To: "A", Parameters: []string{"x"}, Settings: []float64{16}},
	}
	want = `BEST OF  ON  x   PERFORMANCE
A        B   8   0.900
A        C   8   not measured there
B        A   16  does not run
`
	if got := TransfersText(transfers); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
