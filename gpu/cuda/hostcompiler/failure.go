package hostcompiler

import (
	"errors"

	"example.org/bench/gpu"
)

// Failure is a compilation error in the form in which one process sends it to another.
type Failure struct {
	Text    string
	Refusal *Refusal // nil if it is no *gpu.CompileError
	Limit   *Limit   // nil if it is no *Limited
}

// Refusal is a *gpu.CompileError.
type Refusal struct{ Name, Log, How string }

// Limit is a *Limited.
type Limit struct {
	Program, What string
	Timeout       bool
}

// FailureOf returns the Failure for an error; nil for none.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Text: err.Error()}
	if refused := (*gpu.CompileError)(nil); errors.As(err, &refused) {
		f.Refusal = &Refusal{refused.Name, refused.Log, refused.Err.Error()}
	}
	if limited := (*Limited)(nil); errors.As(err, &limited) {
		f.Limit = &Limit{limited.Program, limited.Limit, limited.timeout}
	}
	return f
}

// Err returns an error of the same text and kind as the one that was sent.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	told := &told{text: f.Text}
	switch {
	case f.Refusal != nil:
		told.kind = &gpu.CompileError{Name: f.Refusal.Name, Log: f.Refusal.Log, Err: errors.New(f.Refusal.How)}
	case f.Limit != nil:
		told.kind = &Limited{Program: f.Limit.Program, Limit: f.Limit.What, timeout: f.Limit.Timeout}
	}
	return told
}

// told is an error of another process.
type told struct {
	text string
	kind error // nil for no known kind
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.kind }
