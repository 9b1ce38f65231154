package models

import (
	"math/rand/v2"
	"slices"
)

// Tree is a regression tree by CART (Breiman, Friedman, Olshen, Stone,
// "Classification and Regression Trees"): each split is the one that leaves
// the least sum of squared deviations; it grows until a leaf's outcomes are
// equal or its rows cannot be told apart.
type Tree struct {
	// Rand orders the features at each split, which decides between splits that
	// are equally good; nil: in their own order.
	Rand *rand.Rand

	nodes []node
	// Of the fit under way:
	x     [][]float64
	y     []float64
	items []item
}

// node is a leaf where feature is negative.
type node struct {
	feature     int
	threshold   float64 // left: at most it
	left, right int32
	value       float64
}

type item struct{ key, y float64 }

func (t *Tree) Fit(x [][]float64, y []float64) {
	rows := make([]int, len(x))
	for i := range rows {
		rows[i] = i
	}
	t.fit(x, y, rows)
}

// fit learns from some rows, in which one may occur repeatedly.
func (t *Tree) fit(x [][]float64, y []float64, rows []int) {
	t.nodes, t.x, t.y = t.nodes[:0], x, y
	t.items = slices.Grow(t.items[:0], len(rows))
	t.grow(rows)
	t.x, t.y = nil, nil
}

func (t *Tree) grow(rows []int) int32 {
	at := int32(len(t.nodes))
	sum := 0.0
	for _, r := range rows {
		sum += t.y[r]
	}
	t.nodes = append(t.nodes, node{feature: -1, value: sum / float64(len(rows))})
	feature, threshold, ok := t.split(rows)
	if !ok {
		return at
	}
	// The left rows first.
	m := 0
	for i, r := range rows {
		if t.x[r][feature] <= threshold {
			rows[i], rows[m] = rows[m], r
			m++
		}
	}
	left := t.grow(rows[:m])
	right := t.grow(rows[m:])
	n := &t.nodes[at]
	n.feature, n.threshold, n.left, n.right = feature, threshold, left, right
	return at
}

// split finds the split that leaves the least sum of squares; ok is false
// where none separates different outcomes.
func (t *Tree) split(rows []int) (feature int, threshold float64, ok bool) {
	first := t.y[rows[0]]
	if !slices.ContainsFunc(rows, func(r int) bool { return t.y[r] != first }) {
		return 0, 0, false
	}
	best := 0.0
	for _, f := range shuffled(len(t.x[0]), t.Rand) {
		items := t.items[:0]
		total := 0.0
		for _, r := range rows {
			// Relative to one of the outcomes, so that large equal parts cancel.
			items = append(items, item{t.x[r][f], t.y[r] - first})
			total += t.y[r] - first
		}
		slices.SortFunc(items, func(a, b item) int {
			switch {
			case a.key < b.key:
				return -1
			case a.key > b.key:
				return 1
			}
			return 0
		})
		// Least squares within the parts is the most of Σ sum²/count.
		sum, n := 0.0, float64(len(items))
		for i := range len(items) - 1 {
			sum += items[i].y
			low, high := items[i].key, items[i+1].key
			if low == high {
				continue
			}
			l := float64(i + 1)
			gain := sum*sum/l + (total-sum)*(total-sum)/(n-l)
			if !ok || gain > best {
				best, feature, ok = gain, f, true
				threshold = low + (high-low)/2
				if threshold >= high {
					threshold = low
				}
			}
		}
	}
	return feature, threshold, ok
}

func (t *Tree) Predict(x []float64) float64 {
	n := &t.nodes[0]
	for n.feature >= 0 {
		if x[n.feature] <= n.threshold {
			n = &t.nodes[n.left]
		} else {
			n = &t.nodes[n.right]
		}
	}
	return n.value
}
