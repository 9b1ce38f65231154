package compare

import (
	"fmt"
	"path/filepath"

	"example.org/bench/internal/textfile"
)

// IsFile reports whether a file is what bench compare --json printed.
func IsFile(path string) bool {
	if filepath.Ext(path) != ".json" {
		return false
	}
	_, err := ReadFile(path)
	return err == nil
}

// ReadFile reads what bench compare --json printed.
func ReadFile(path string) (*Comparison, error) {
	var c Comparison
	if err := textfile.ReadJSON(path, &c); err != nil {
		return nil, err
	}
	if c.By == "" || len(c.Tables) == 0 {
		return nil, fmt.Errorf("%s is no comparison: want what bench compare --json printed", path)
	}
	for _, t := range c.Tables {
		for _, x := range t.Cells {
			if x.Point < 0 || x.Point >= len(c.Points) {
				return nil, fmt.Errorf("%s: a cell is of point %d, of %d", path, x.Point, len(c.Points))
			}
			if (x.Low == nil) != (x.High == nil) || x.Ratio != nil && (x.Ratio.Low == nil) != (x.Ratio.High == nil) {
				return nil, fmt.Errorf("%s: a cell of point %d has one end of an interval", path, x.Point)
			}
		}
	}
	for i, p := range c.Points {
		if len(p.Factors) != len(c.Factors) {
			return nil, fmt.Errorf("%s: point %d has %d factors, of %d", path, i, len(p.Factors), len(c.Factors))
		}
	}
	return &c, nil
}
