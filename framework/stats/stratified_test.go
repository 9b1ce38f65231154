package stats

import (
	"math/rand/v2"
	"testing"
)

func TestStratified(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(200) {
		g := rand.New(rand.NewPCG(seed, 0))
		chosen := Stratified(g, 11, 4)
		for i, c := range chosen {
			if c < i*11/4 || c >= (i+1)*11/4 {
				t.Fatalf("%d of part %d of 4 of 11", c, i)
			}
			seen[c] = true
		}
		if all := Stratified(g, 3, 3); all[0] != 0 || all[1] != 1 || all[2] != 2 {
			t.Fatalf("three of three: %v", all)
		}
		if none := Stratified(g, 3, 0); len(none) != 0 {
			t.Fatalf("none of three: %v", none)
		}
	}
	if len(seen) != 11 {
		t.Errorf("only %d of 11 were ever chosen", len(seen))
	}
}
