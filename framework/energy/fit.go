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
	// inverse is that of the used columns' products with each other.
	inverse *mat.SymDense
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
			if !ok { // it tells nothing that the others do not
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
	f.inverse = inverse(scaled, f.used)
	for n, j := range f.used {
		x[j] /= scale[j]
		for k, l := range f.used[:n+1] {
			if f.inverse != nil {
				f.inverse.SetSym(n, k, f.inverse.At(n, k)/scale[j]/scale[l])
			}
		}
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

// columnsOf are some columns of a matrix.
func columnsOf(a *mat.Dense, chosen []int) *mat.Dense {
	rows, _ := a.Dims()
	part := mat.NewDense(rows, max(1, len(chosen)), nil)
	for n, j := range chosen {
		for i := range rows {
			part.Set(i, n, a.At(i, j))
		}
	}
	return part
}

// mostCondition is that of columns that can be told apart.
const mostCondition = 1e8

// solve is the least-squares solution by the chosen columns; ok is false where they cannot be told apart.
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

// inverse is that of the products of some columns with each other; nil where there is none.
func inverse(a *mat.Dense, chosen []int) *mat.SymDense {
	if len(chosen) == 0 {
		return nil
	}
	part := columnsOf(a, chosen)
	products := mat.NewSymDense(len(chosen), nil)
	products.SymOuterK(1, part.T())
	var c mat.Cholesky
	if !c.Factorize(products) {
		return nil
	}
	var inv mat.SymDense
	if c.InverseTo(&inv) != nil {
		return nil
	}
	return &inv
}

// unused is the standard error, by that of one row, that a column would have beside the used ones: what it tells that they do
// not. It is infinite where that is nothing.
func (f fitted) unused(a *mat.Dense, column int) float64 {
	rows, _ := a.Dims()
	own := a.ColView(column)
	rest := mat.Dot(own, own)
	if f.inverse != nil {
		products := mat.NewVecDense(len(f.used), nil)
		products.MulVec(columnsOf(a, f.used).T(), mat.NewVecDense(rows, mat.Col(nil, column, a)))
		rest -= mat.Inner(products, f.inverse, products)
	}
	if rest <= 1e-12*mat.Dot(own, own) {
		return math.Inf(1)
	}
	return 1 / math.Sqrt(rest)
}
