package hostcompiler

import (
	"errors"

	"bench/cuda"
)

// Failure is an error of compiling as one process tells another.
type Failure struct {
	Text    string
	Refusal *Refusal // nil: it is no *cuda.CompileError
	Limit   *Limit   // nil: it is no *Limited
}

// Refusal is a *cuda.CompileError.
type Refusal struct{ Name, Log, How string }

// Limit is a *Limited.
type Limit struct {
	Program, What string
	Timeout       bool
}

// FailureOf is an error to be told; nil for none.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Text: err.Error()}
	if refused := (*cuda.CompileError)(nil); errors.As(err, &refused) {
		f.Refusal = &Refusal{refused.Name, refused.Log, refused.Err.Error()}
	}
	if limited := (*Limited)(nil); errors.As(err, &limited) {
		f.Limit = &Limit{limited.Program, limited.Limit, limited.timeout}
	}
	return f
}

// Err is the error that was told: its text, and of its kind.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	told := &told{text: f.Text}
	switch {
	case f.Refusal != nil:
		told.kind = &cuda.CompileError{Name: f.Refusal.Name, Log: f.Refusal.Log, Err: errors.New(f.Refusal.How)}
	case f.Limit != nil:
		told.kind = &Limited{Program: f.Limit.Program, Limit: f.Limit.What, timeout: f.Limit.Timeout}
	}
	return told
}

// told is an error of another process.
type told struct {
	text string
	kind error // nil: of none that is known
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.kind }
