package strategy

import "math"

// The kernel of two points, with s = Σ rate·distance² over the columns and
// a = the mean over them of exp(-rate·distance²), is
//
//	(1-additiveShare)·matern(s) + additiveShare·(a + a²)/2
//
// The first term lets all columns interact; the second has each column and each pair of
// columns contribute by themselves, which carries over long distances ("Additive
// Gaussian Processes", Duvenaud, Nickisch and Rasmussen).
const additiveShare = 0.3

func joined(s, a float32) float32 {
	return (1-additiveShare)*matern.at(s) + additiveShare*0.5*(a+a*a)
}

// tabled is a function on 0 to tableEnd, by linear interpolation. Beyond, it keeps its last value.
type tabled struct{ values [tableSteps + 2]float32 }

const (
	tableSteps = 4096
	tableEnd   = 16.0
)

func newTabled(f func(float64) float64) *tabled {
	t := &tabled{}
	for i := range t.values {
		t.values[i] = float32(f(float64(i) * tableEnd / tableSteps))
	}
	return t
}

func (t *tabled) at(x float32) float32 {
	x *= tableSteps / tableEnd
	if x >= tableSteps {
		return t.values[tableSteps]
	}
	i := int(x)
	return t.values[i] + (x-float32(i))*(t.values[i+1]-t.values[i])
}

var (
	// matern is the Matérn function of smoothness 5/2, of the squared distance.
	matern = newTabled(func(r2 float64) float64 {
		r := math.Sqrt(5 * r2)
		return (1 + r + r*r/3) * math.Exp(-r)
	})
	decay = newTabled(func(x float64) float64 { return math.Exp(-x) })
)

// packed joins columns to groups with one code each, so that a sum over all columns takes few look-ups.
type packed struct {
	columns []column
	groups  []group
}

type group struct {
	columns []int
	codes   int
	code    []uint16 // of each candidate
}

func pack(columns []column) *packed {
	const most = 1024 // codes of a group: its tables stay in the first-level cache
	p := &packed{columns: columns}
	for i, c := range columns {
		at := 0
		for at < len(p.groups) && p.groups[at].codes*c.levels > most {
			at++
		}
		if at == len(p.groups) {
			p.groups = append(p.groups, group{codes: 1, code: make([]uint16, len(c.level))})
		}
		g := &p.groups[at]
		g.columns = append(g.columns, i)
		g.codes *= c.levels
		for k := range g.code {
			g.code[k] = g.code[k]*uint16(c.levels) + c.level[k]
		}
	}
	return p
}

// terms are, for one point, the sums over each group's columns by code.
type terms struct{ squared, decayed [][]float32 }

func (p *packed) terms(rates []float64, point int) terms {
	var t terms
	share := 1 / float32(len(p.columns))
	for _, g := range p.groups {
		squared, decayed := []float32{0}, []float32{0}
		for _, i := range g.columns {
			c := &p.columns[i]
			row := c.distance2[int(c.level[point])*c.levels:][:c.levels]
			n := len(squared) * c.levels
			s, a := make([]float32, n), make([]float32, n)
			r, e := make([]float32, c.levels), make([]float32, c.levels)
			for l, d := range row {
				r[l] = float32(rates[i]) * d
				e[l] = share * decay.at(r[l])
			}
			for k := range squared {
				for l := range r {
					s[k*c.levels+l] = squared[k] + r[l]
					a[k*c.levels+l] = decayed[k] + e[l]
				}
			}
			squared, decayed = s, a
		}
		t.squared, t.decayed = append(t.squared, squared), append(t.decayed, decayed)
	}
	return t
}

// fill sets k to the kernel of the terms' point and the candidates with these codes, one list per group. s is
// scratch of the same length.
func (t terms) fill(codes [][]uint16, k, s []float32) {
	clear(k)
	clear(s)
	for g, code := range codes {
		squared, decayed := t.squared[g], t.decayed[g]
		for i, c := range code {
			s[i] += squared[c]
			k[i] += decayed[c]
		}
	}
	for i, a := range k {
		k[i] = joined(s[i], a)
	}
}
