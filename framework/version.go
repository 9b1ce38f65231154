package framework

import (
	"fmt"
	"reflect"
)

// Typed makes a Version's New from a constructor for the algorithm's own problem type. New returns
// an error for a problem of another type.
func Typed[P Problem, A BaseAlgorithm](construct func(Env, P, Values) (A, error)) func(Env, Problem, Values) (BaseAlgorithm, error) {
	return func(env Env, q Problem, tunables Values) (BaseAlgorithm, error) {
		p, ok := q.(P)
		if !ok {
			return nil, fmt.Errorf("problem is %T, of another algorithm; want %v", q, reflect.TypeFor[P]())
		}
		a, err := construct(env, p, tunables)
		if err != nil {
			return nil, err
		}
		return a, nil
	}
}

// Takes reports whether the version's kernels run on a GPU of OpenCL, or else of CUDA.
func (v *Version) Takes(opencl bool) bool { return v.Portable || v.OpenCL == opencl }

// Timed returns an error if the version's algorithm a cannot be timed, because it implements no
// more than BaseAlgorithm.
func (v *Version) Timed(a BaseAlgorithm) error {
	switch a.(type) {
	case CPUAlgorithm, GPUAlgorithm, SelfTimed:
		return nil
	}
	if v.Processor == GPU {
		return fmt.Errorf("version %s cannot be timed: add Stream() gpu.Stream to %T, the stream on which Run enqueues, or embed framework.GPURun", v.Name, a)
	}
	return fmt.Errorf("version %s cannot be timed: add Workers() int to %T, the threads that Run computes with, or embed framework.CPURun", v.Name, a)
}

// NotVerified begins the remark of a point whose config has no right answer; the config's
// reason follows.
const NotVerified = "the answer is not verified: "

// Remark records a remark with the point if the runner takes remarks.
func (e Env) Remark(format string, args ...any) {
	if e.Note != nil {
		e.Note(format, args...)
	}
}

// Check returns an error for counts that passed 2^63 and thereby became negative.
func (w Work) Check() error {
	for _, c := range []struct {
		name  string
		count int64
	}{{"nominal_flops", w.NominalFLOPs}, {"nominal_bytes", w.NominalBytes}, {"flops", w.FLOPs}, {"load_bytes", w.LoadBytes}, {"store_bytes", w.StoreBytes},
		{"cluster_bytes", w.ClusterBytes}, {"items", w.Items}} {
		if c.count < 0 {
			return fmt.Errorf("the version counts %s = %d: beyond 64 bits; a smaller problem is needed", c.name, c.count)
		}
	}
	return nil
}

// Executing returns w's nominal counts with the executed counts of own.
func (w Work) Executing(own Work) Work {
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}

// IntValues makes values from names and numbers: IntValues("P", 4, "L", 64).
func IntValues(pairs ...any) Values {
	v := Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = IntValue(int64(pairs[i+1].(int)))
	}
	return v
}

// OneThread returns a constructor whose instances have one worker, however many the run has.
func OneThread(construct func(Env, Problem, Values) (BaseAlgorithm, error)) func(Env, Problem, Values) (BaseAlgorithm, error) {
	return func(env Env, p Problem, v Values) (BaseAlgorithm, error) {
		env.Workers = 1
		return construct(env, p, v)
	}
}

// IsPowerOfTwo reports whether n is a power of two.
func IsPowerOfTwo[T int | int64](n T) bool { return n > 0 && n&(n-1) == 0 }

// PowersOfTwo returns the powers of two in [from, to]; from must be a power of two.
func PowersOfTwo(from, to int64) []int64 {
	var list []int64
	for ; from <= to; from *= 2 {
		list = append(list, from)
	}
	return list
}
