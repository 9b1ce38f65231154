package terminal

import "testing"

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 rows": Count(0, "row"), "1 row": Count(1, "row"), "2 rows": Count(int64(2), "row"), "1 entry": Count(1, "entry"), "3 entries": Count(3, "entry"),
		"2 searches": Count(2, "search"), "1 series": Count(1, "series"), "2 series": Count(2, "series"), "2 boxes": Count(2, "box"), "1 matrix": Count(1, "matrix"), "2 matrices": Count(2, "matrix"), "2 days": Count(2, "day"), "1 CPU": Count(1, "CPU"), "2 sweep points": Count(2, "sweep point"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
