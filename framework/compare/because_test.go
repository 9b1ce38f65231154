package compare

import (
	"strings"
	"testing"
)

// The largest change comes first, and energies are none of a GPU's times.
func TestDifferent(t *testing.T) {
	c := reported(t)
	list := c.Different()
	if len(list) != 2 || list[0].Ratio.Value < list[1].Ratio.Value {
		t.Fatalf("%+v", list)
	}
	if d := list[0]; d.Base.Run.Rows[0].Point != 0 || d.Level.Row.Params.Get("N").Int() != 64 || d.Base.Row == d.Level.Row {
		t.Errorf("%+v", d)
	}
	list[0].Ratio.Because = &Because{Reasons: []string{"spills 0 → 96 B a thread"}, Explained: 0.9}
	list[1].Ratio.Because = &Because{Missing: "a library's code is not known"}
	text := c.Text()
	for _, want := range []string{
		"\nN=64 after|it: slower because: spills 0 → 96 B a thread (the model has 90 % of the difference)\n",
		"\nnot explained (a library's code is not known) at N=128 after|it\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	csv, err := csvOf(c)
	if err != nil || !strings.Contains(csv, ",front,because\n") || !strings.Contains(csv, "slower because: spills") {
		t.Errorf("%v\n%s", err, csv)
	}
}
