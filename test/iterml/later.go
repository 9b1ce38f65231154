package iterml

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Later are the seconds of points that were drawn after a sample, by benchmark.
type Later map[string]map[Block]float64

// ReadLater reads later.csv: X, Y and a column NAME_ms for each benchmark.
func ReadLater(path string) (Later, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	later := Later{}
	for line, row := range rows[1:] {
		var values []float64
		for _, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", path, line+2, err)
			}
			values = append(values, v)
		}
		for i, name := range rows[0][2:] {
			name = strings.TrimSuffix(name, "_ms")
			if later[name] == nil {
				later[name] = map[Block]float64{}
			}
			later[name][Block{int(values[0]), int(values[1])}] = values[i+2] / 1e3
		}
	}
	return later, nil
}

// With is the space with the points that were drawn later, as fractions of the
// optimum of all; ok is false where it has none.
func (s Space) With(later Later) (all Space, ok bool) {
	if later[s.Name] == nil {
		return Space{}, false
	}
	seconds := maps.Clone(later[s.Name])
	for b, f := range s.Fraction {
		if f > 0 {
			seconds[b] = s.OptimumSeconds / f
		}
	}
	all = Space{Name: s.Name, OptimumSeconds: slices.Min(slices.Collect(maps.Values(seconds))), Fraction: map[Block]float64{}}
	for b, t := range seconds {
		all.Fraction[b] = all.OptimumSeconds / t
		if t == all.OptimumSeconds {
			all.Best = b
		}
	}
	return all, true
}
