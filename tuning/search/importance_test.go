package search

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/tuning"
)

// TestImportanceOrdersParameters by what they do to the cost.
func TestImportanceOrdersParameters(t *testing.T) {
	var rows [][]uint16
	four := []float64{1, 2, 3, 4}
	p := []tuning.Parameter{{Name: "large", Values: four}, {Name: "none", Values: four}, {Name: "small", Values: four}, {Name: "single", Values: []float64{1}}}
	for i := range 64 {
		rows = append(rows, []uint16{uint16(i / 16), uint16(i / 4 % 4), uint16(i % 4), 0})
	}
	s := mustSpace(t, p, rows)
	rnd := rand.New(rand.NewPCG(1, 1))
	var points []int
	var costs []float64
	for i := range s.Len() {
		points = append(points, i)
		costs = append(costs, math.Exp(s.Value(i, 0)+0.3*s.Value(i, 2)+0.01*rnd.NormFloat64()))
	}
	got := Importance(s, points, costs)
	// The variances of 1…4 and of 0.3·(1…4) are as 1 to 0.09.
	if got[0] < 0.88 || got[0] > 0.94 || got[2] < 0.06 || got[2] > 0.1 || got[1] > 0.01 || got[3] != 0 {
		t.Errorf("%v", got)
	}
	for _, few := range []int{0, 1, 2} {
		for _, x := range Importance(s, points[:few], costs[:few]) {
			if x != 0 {
				t.Errorf("%d trials: %v", few, x)
			}
		}
	}
}

func mustSpace(t *testing.T, p []tuning.Parameter, rows [][]uint16) *tuning.Space {
	t.Helper()
	s, err := tuning.NewSpace(p, rows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a search of every point tells: A = 4 fails twice, B = 3 is wrong three times.
func TestInsight(t *testing.T) {
	y := &toy{}
	o := y.options("exhaustive")
	o.Budget, o.Confirm = 100, 0
	s := y.open(t, `"versions": ["exact"]`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	n := s.Report().Tasks[0].Insight
	if len(n.Reasons) != 2 || n.Reasons[0].Status != "wrong" || n.Reasons[0].Points != 3 || n.Reasons[1].Status != "failed" || n.Reasons[1].Points != 2 ||
		!strings.Contains(n.Reasons[1].Reason, "four is too many") {
		t.Errorf("reasons %+v", n.Reasons)
	}
	// A = 1 and B = 1, the defaults, take 6 times as long as A = 3 and B = 2.
	if n.DefaultsLoss == nil || math.Abs(*n.DefaultsLoss-5) > 1e-9 {
		t.Errorf("defaults' loss %v", n.DefaultsLoss)
	}
	if n.Left == nil || n.Left.Points != 0 || n.Left.Sure != 1 {
		t.Errorf("left %+v", n.Left)
	}
	if len(n.Importance) != 2 || n.Importance[0].Name != "A" || n.Importance[0].Share < n.Importance[1].Share {
		t.Errorf("importance %+v", n.Importance)
	}
	n = Insight{}
	n.invalid("failed", "67 registers are too many")
	n.invalid("failed", "128 registers are too many")
	n.invalid("wrong", "128 registers are too many")
	if len(n.Reasons) != 2 || n.Reasons[0].Points != 2 || n.Reasons[0].Reason != "67 registers are too many" {
		t.Errorf("%+v", n.Reasons)
	}
}
