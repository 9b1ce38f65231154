package plots

import (
	"fmt"
	"testing"
)

func TestStylesDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 64 {
		m := marker(i, false)
		id := fmt.Sprint(m.Color, m.Shape)
		if j, ok := seen[id]; ok {
			t.Errorf("lines %d and %d look the same", i, j)
		}
		seen[id] = i
	}
}
