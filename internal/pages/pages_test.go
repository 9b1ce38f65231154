package pages

import "testing"

func TestNew(t *testing.T) {
	a, free, err := New[float64](3000)
	if err != nil || len(a) != 3000 || cap(a) != 3000 {
		t.Fatalf("%d of %d elements, %v", len(a), cap(a), err)
	}
	for i, x := range a {
		if x != 0 {
			t.Fatalf("element %d is %g", i, x)
		}
		a[i] = 1
	}
	free()
	if a, free, err := New[int32](0); a != nil || err != nil {
		t.Errorf("no elements: %v, %v", a, err)
	} else {
		free()
	}
	if _, _, err := New[int32](1 << 60); err == nil {
		t.Error("2^62 bytes are there")
	}
}
