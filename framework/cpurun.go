package framework

// Computation is the part of a CPU version that differs between the versions of an algorithm.
// PreRun makes it, and PostRun closes it.
type Computation interface {
	// Work returns the FLOPs, LoadBytes and StoreBytes of one run.
	Work() Work
	Close() error
}

// CPURun holds what CPU versions have in common at one point. Versions embed it.
type CPURun[P interface {
	Problem
	// Nominal returns the counts that follow from the problem's definition.
	Nominal() Work
}, C Computation] struct {
	Env     Env
	Problem P
	// Prepare makes the computation. It is not timed.
	Prepare  func(P, Env) (C, error)
	Prepared C // made by PreRun
	prepared bool
}

// PreRun makes the computation.
func (r *CPURun[P, C]) PreRun() (err error) {
	r.Prepared, err = r.Prepare(r.Problem, r.Env)
	r.prepared = err == nil
	return err
}

// PostRun closes the computation, if PreRun made one.
func (r *CPURun[P, C]) PostRun() error {
	if !r.prepared {
		return nil
	}
	c := r.Prepared
	var none C
	r.Prepared, r.prepared = none, false
	return c.Close()
}

// Work combines the problem's nominal counts with the computation's counts.
func (r *CPURun[P, C]) Work() Work { return r.Problem.Nominal().Executing(r.Prepared.Work()) }

// Workers returns how many threads Run may use.
func (r *CPURun[P, C]) Workers() int { return max(1, r.Env.Workers) }
