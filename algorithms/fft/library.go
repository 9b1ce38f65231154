package fft

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// libraryRun is a version of a closed library, with one plan for all transforms of a point, out of place.
type libraryRun struct {
	framework.GPURun
	p       *problem
	in, out gpu.Pointer
	exec    func(in, out gpu.Pointer, inverse bool) error // set by PreRun
}

func newLibraryRun(env framework.Env, p *problem) libraryRun {
	return libraryRun{GPURun: framework.GPURun{Env: env}, p: p}
}

// upload allocates the arrays and copies the inputs to the device.
func (r *libraryRun) upload() error {
	if err := r.AllocEach(r.p.bytes(), &r.in, &r.out); err != nil {
		return err
	}
	if err := upload(r.Device, r.p, r.in); err != nil {
		return err
	}
	transfer(&r.GPURun, r.p, r.in, r.out)
	return nil
}

func (r *libraryRun) Run() error { return r.exec(r.in, r.out, r.p.Inverse) }

func (r *libraryRun) Verify() ([]framework.Check, error) {
	return verifyDevice(r.Env, r.p, r.in, r.out, func() error { return r.exec(r.out, r.in, !r.p.Inverse) })
}

// VerifyFast does not transform back.
func (r *libraryRun) VerifyFast() ([]framework.Check, error) {
	return verifyDeviceFast(r.Device, r.p, r.out)
}

// Work has no counts of the version's own, because the library's code is not known.
func (r *libraryRun) Work() framework.Work { return r.p.Nominal() }
