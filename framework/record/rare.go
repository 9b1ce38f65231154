package record

// Rare is a part of a row that most rows lack, or have in common with the row before: it
// takes a pointer, and what it points to is never changed.
type Rare[T comparable] struct{ of *T }

// RareOf is a row's part x; of the zero T nothing is kept.
func RareOf[T comparable](x T) Rare[T] {
	var none T
	if x == none {
		return Rare[T]{}
	}
	return Rare[T]{&x}
}

// Get is the part; the zero T where the row lacks it.
func (r Rare[T]) Get() T {
	if r.of == nil {
		var none T
		return none
	}
	return *r.of
}
