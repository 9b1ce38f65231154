package record

import (
	"slices"
	"strings"
	"testing"
)

// TestSamplesByPoint: samples are found by point in the order taken, also where a point or a
// series comes again after others.
func TestSamplesByPoint(t *testing.T) {
	list := []Sample{{2, 0, "v", "cold", 0, 1}, {2, 0, "v", "cold", 1, 2}, {2, 0, "v", "hot", 0, 3}, {1, 0, "w", "hot", 0, 4}, {2, 0, "v", "cold", 2, 5}, {2, 1, "v", "cold", 0, 6}}
	s := SamplesOf(list)
	if got, want := s.List(), []Sample{list[3], list[0], list[1], list[2], list[4], list[5]}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var of []Sample
	for x := range s.Of(2) {
		of = x.list(2, of)
	}
	if want := slices.Concat(list[:3], list[4:]); !slices.Equal(of, want) {
		t.Errorf("%v, want %v", of, want)
	}
	for range s.Of(3) {
		t.Error("point 3 has samples")
	}
	for range (*Samples)(nil).Of(1) {
		t.Error("none are some")
	}
}

// TestNumbering: samples number from 0 in each series, whatever comes between.
func TestNumbering(t *testing.T) {
	read := func(list []Sample) error {
		var n numbering
		s := &Samples{}
		for _, x := range list {
			if err := n.check(&x, s); err != nil {
				return err
			}
			s.add(x)
		}
		return nil
	}
	good := []Sample{{2, 0, "v", "cold", 0, 1}, {2, 0, "v", "cold", 1, 2}, {2, 0, "v", "hot", 0, 3}, {3, 0, "v", "hot", 0, 3}, {1, 0, "w", "hot", 0, 4},
		{2, 0, "v", "cold", 2, 5}, {2, 0, "v", "hot", 1, 5}, {3, 0, "v", "hot", 1, 6}, {2, 1, "v", "cold", 0, 6}, {1, 0, "w", "hot", 1, 6}}
	if err := read(good); err != nil {
		t.Error(err)
	}
	for i := range good {
		for _, by := range []int{-1, 1} {
			bad := slices.Clone(good[:i+1])
			bad[i].Index += by
			if err := read(bad); err == nil || !strings.Contains(err.Error(), "want sample") {
				t.Errorf("%v: %v", bad[i], err)
			}
		}
	}
}
