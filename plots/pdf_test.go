package plots

import (
	"bytes"
	"testing"
)

// TestPDF: each kind of figure can be drawn, the same twice, with its fonts.
func TestPDF(t *testing.T) {
	for name, f := range kinds(t) {
		var twice [2]bytes.Buffer
		for i := range twice {
			if _, err := (rendered{f, "pdf", Paper}).WriteTo(&twice[i]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		text := twice[0].Bytes()
		if !bytes.Equal(text, twice[1].Bytes()) {
			t.Errorf("%s: drawn twice, it differs", name)
		}
		// 3.5 inches are 252 points.
		for _, want := range []string{"%PDF-1.", "/MediaBox [0 0 252.00", "/FontFile2", "%%EOF"} {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
}
