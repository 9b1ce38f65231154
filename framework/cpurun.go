package framework

// Computation is what tells the CPU versions of an algorithm apart. PreRun
// makes it and PostRun closes it.
type Computation interface {
	// Work gives FLOPs, LoadBytes and StoreBytes of one run.
	Work() Work
	Close() error
}

// CPURun is what CPU versions have in common at one point, to be embedded.
type CPURun[P interface {
	Problem
	// Nominal gives the counts that follow from the problem's definition.
	Nominal() Work
}, C Computation] struct {
	Env     Env
	Problem P
	// Prepare makes the computation; what it costs is not timed.
	Prepare  func(P, Env) (C, error)
	Prepared C // by PreRun
	prepared bool
}

// PreRun prepares.
func (r *CPURun[P, C]) PreRun() (err error) {
	r.Prepared, err = r.Prepare(r.Problem, r.Env)
	r.prepared = err == nil
	return err
}

// PostRun closes what PreRun prepared.
func (r *CPURun[P, C]) PostRun() error {
	if !r.prepared {
		return nil
	}
	c := r.Prepared
	var none C
	r.Prepared, r.prepared = none, false
	return c.Close()
}

// Work is the problem's with what the computation executes.
func (r *CPURun[P, C]) Work() Work { return r.Problem.Nominal().Executing(r.Prepared.Work()) }

// Workers is how many threads Run may use.
func (r *CPURun[P, C]) Workers() int { return max(1, r.Env.Workers) }
