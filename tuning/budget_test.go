package tuning

import (
	"testing"
	"time"
)

// A budget is a number, a time or auto; what is none leaves it as it was.
func TestBudget(t *testing.T) {
	for text, want := range map[string]Budget{
		"7":                  {Text: "7", Evaluations: 7},
		"999999999999999999": {Text: "999999999999999999", Evaluations: mostEvaluations},
		"1m30s":              {Text: "1m30s", Limit: 90 * time.Second},
	} {
		var b Budget
		if err := b.Set(text); err != nil || b != want || b.String() != text {
			t.Errorf("%s: %+v, %v", text, b, err)
		}
	}
	var auto Budget
	if err := auto.Set(AutoBudget); err != nil || auto.Patience == nil || *auto.Patience != (Patience{Least: 60, Share: 1, Gain: 0.01}) || auto.Limit != 0 || auto.Evaluations != 0 {
		t.Errorf("%+v, %v", auto, err)
	}
	for text, want := range map[string]string{
		"0":   "want at least 1 evaluation",
		"-1s": "want a number of evaluations, a time such as 60s or 10m, or auto",
		"":    "want a number of evaluations, a time such as 60s or 10m, or auto",
	} {
		b := Budget{Text: "200", Evaluations: 200}
		if err := b.Set(text); err == nil || err.Error() != want || b.Evaluations != 200 {
			t.Errorf("%q: %v, %+v", text, err, b)
		}
	}
}
