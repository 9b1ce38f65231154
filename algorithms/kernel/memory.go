package kernel

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// takenBytes returns the host memory of a point of a version: the inputs, a C function's own vectors, and
// what its answers are compared with, or what computes that.
func (a *algorithm) takenBytes(v *variant, params, tunables framework.Values) int64 {
	env := settings(gpu.Facts{}, params, tunables)
	used := a.used(v.launches)
	var inputs, own, making, right, answers, lists int64
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			continue // refused by check
		}
		e := o.element(params)
		bytes := n * e.bytes
		inC := func(f *function) int64 {
			switch {
			case f == nil || o.Use == scratch:
				return 0
			case f.Double && e.widens():
				return n * e.double().bytes
			}
			return bytes
		}
		if o.isFilled() {
			inputs += bytes
		}
		if o.fields != nil {
			if v.C == nil && o.isAnswer() {
				answers += bytes // as downloaded, with all fields
			}
			continue
		}
		own += inC(v.C)
		making += inC(a.def.Verify.C)
		if a.def.Verify.Kernels != nil && used[i] { // on the device, beside the version's vectors
			making += bytes
		}
		if !o.isAnswer() || a.def.Verify.None != "" {
			continue
		}
		right += max(bytes, inC(a.def.Verify.C))
		answers += bytes // the last answer compared
		if v.C == nil {
			answers += bytes // the answer as downloaded
		}
		if o.Compare != "" && o.Compare != byElement {
			const double = 8
			lists += 2 * double * n * e.lanes
		}
	}
	if a.def.Verify.Kernels != nil {
		making += right
	}
	return inputs + own + max(making, right+answers+lists)
}
