package compare

import (
	"strconv"
	"strings"
)

// place is a point: the factors by which it pairs, and its rows by level.
type place struct {
	values []string // of pairing.names
	rows   map[string]*entry
}

// key tells apart points whose factors have the same names.
func key(values []string) string {
	var b []byte
	for _, v := range values {
		b = append(strconv.AppendQuote(b, v), ';')
	}
	return string(b)
}

func words(list []Factor) string {
	var parts []string
	for _, s := range list {
		if s.Value != "" {
			parts = append(parts, s.Name+" "+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// pick returns some of a point's factors.
func (p *pairing) pick(at *place, columns []int) []Factor {
	var some []Factor
	for _, i := range columns {
		some = append(some, Factor{p.names[i], at.values[i]})
	}
	return some
}
