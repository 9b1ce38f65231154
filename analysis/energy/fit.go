package energy

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// fitted is a least-squares solution none of which is below 0.
type fitted struct {
	x []float64
	// used are the columns that are above 0.
	used     []int
	residual float64 // sum of squares
}

// nonnegative finds the x without a part below 0 for which |a·x - b| is least, by active sets (Lawson, Hanson: "Solving
// Least Squares Problems", 1974, chapter 23). Columns of zeros get 0.
func nonnegative(a *mat.Dense, b []float64) fitted {
	rows, columns := a.Dims()
	scale := make([]float64, columns)
	scaled := mat.NewDense(rows, columns, nil)
	for j := range columns {
		if scale[j] = mat.Norm(a.ColView(j), 2); scale[j] > 0 {
			for i := range rows {
				scaled.Set(i, j, a.At(i, j)/scale[j])
			}
		}
	}
	x, in := make([]float64, columns), make([]bool, columns)
	const near = 1e-10
	for range 10 * columns {
		rest := residuals(scaled, x, b)
		best, most := -1, near*norm(b)
		for j := range columns {
			if !in[j] && scale[j] > 0 {
				if g := mat.Dot(scaled.ColView(j), mat.NewVecDense(rows, rest)); g > most {
					best, most = j, g
				}
			}
		}
		if best < 0 {
			break
		}
		in[best] = true
		for {
			z, ok := solve(scaled, in, b)
			if !ok { // the others tell all that it tells
				in[best], x[best] = false, 0
				scale[best] = 0
				break
			}
			step, least := 1.0, -1
			for j := range columns {
				if in[j] && z[j] <= 0 {
					if t := x[j] / (x[j] - z[j]); t < step || least < 0 {
						step, least = min(step, t), j
					}
				}
			}
			for j := range columns {
				x[j] += step * (z[j] - x[j])
			}
			if least < 0 {
				break
			}
			for j := range columns {
				if in[j] && x[j] <= near {
					in[j], x[j] = false, 0
				}
			}
			in[least], x[least] = false, 0
		}
	}
	f := fitted{x: x}
	for j := range columns {
		if in[j] {
			f.used = append(f.used, j)
		}
	}
	for _, r := range residuals(scaled, x, b) {
		f.residual += r * r
	}
	for _, j := range f.used {
		x[j] /= scale[j]
	}
	return f
}

func residuals(a *mat.Dense, x, b []float64) []float64 {
	var y mat.VecDense
	y.MulVec(a, mat.NewVecDense(len(x), x))
	rest := make([]float64, len(b))
	for i := range rest {
		rest[i] = b[i] - y.AtVec(i)
	}
	return rest
}

func norm(b []float64) float64 {
	sum := 0.0
	for _, x := range b {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// columnsOf returns some columns of a matrix.
func columnsOf(a *mat.Dense, chosen []int) *mat.Dense {
	rows, _ := a.Dims()
	part := mat.NewDense(rows, len(chosen), nil)
	for n, j := range chosen {
		for i := range rows {
			part.Set(i, n, a.At(i, j))
		}
	}
	return part
}

// mostCondition is the highest condition of columns that can be told apart.
const mostCondition = 1e8

// solve returns the least-squares solution by the chosen columns; ok is false if these cannot be told apart.
func solve(a *mat.Dense, in []bool, b []float64) (z []float64, ok bool) {
	var chosen []int
	for j, is := range in {
		if is {
			chosen = append(chosen, j)
		}
	}
	rows, _ := a.Dims()
	if len(chosen) > rows {
		return nil, false
	}
	var qr mat.QR
	qr.Factorize(columnsOf(a, chosen))
	if qr.Cond() > mostCondition {
		return nil, false
	}
	var y mat.VecDense
	if qr.SolveVecTo(&y, false, mat.NewVecDense(len(b), b)) != nil {
		return nil, false
	}
	z = make([]float64, len(in))
	for n, j := range chosen {
		z[j] = y.AtVec(n)
	}
	return z, true
}

// unit returns a matrix's columns, each divided by its norm.
func unit(a *mat.Dense) (unit *mat.Dense, norms []float64) {
	rows, columns := a.Dims()
	norms = make([]float64, columns)
	unit = mat.NewDense(rows, columns, nil)
	for j := range columns {
		norms[j] = mat.Norm(a.ColView(j), 2)
		for i := range rows {
			unit.Set(i, j, a.At(i, j)/norms[j])
		}
	}
	return unit, norms
}

// inverse returns the inverse of the products of a matrix's columns with each other; nil if there is none.
func inverse(a *mat.Dense) *mat.SymDense {
	_, columns := a.Dims()
	unit, scale := unit(a)
	products, inv := mat.NewSymDense(columns, nil), &mat.SymDense{}
	products.SymOuterK(1, unit.T())
	var c mat.Cholesky
	if !c.Factorize(products) || c.InverseTo(inv) != nil {
		return nil
	}
	for j := range columns {
		for k := range j + 1 {
			inv.SetSym(j, k, inv.At(j, k)/scale[j]/scale[k])
		}
	}
	return inv
}

// alone returns the standard error, relative to that of one row, that a column would have beside others: of
// what the column tells and they do not. It is infinite if that is nothing.
func alone(beside *mat.Dense, inverse *mat.SymDense, column mat.Vector) float64 {
	_, n := beside.Dims()
	all := mat.Dot(column, column)
	products := mat.NewVecDense(n, nil)
	products.MulVec(beside.T(), column)
	rest := all - mat.Inner(products, inverse, products)
	if rest <= 1e-9*all {
		return math.Inf(1)
	}
	return 1 / math.Sqrt(rest)
}
