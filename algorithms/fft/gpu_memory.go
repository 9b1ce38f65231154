package fft

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// uploadTable uploads twiddle factors, rounded to the kernel's precision.
func uploadTable(r *framework.GPURun, w []complex128, double bool) (gpu.Pointer, error) {
	if len(w) == 0 {
		return 0, nil
	}
	if double {
		return framework.AllocCopy(r, w)
	}
	single := make([]complex64, len(w))
	for i, v := range w {
		single[i] = complex64(v)
	}
	return framework.AllocCopy(r, single)
}

// transfer declares what is copied in a run from input to answer.
func transfer(r *framework.GPURun, q *problem, in, out gpu.Pointer) {
	if q.Double {
		framework.Input(r, in, q.in64)
	} else {
		framework.Input(r, in, q.in32)
	}
	r.Output(out, q.bytes())
}

// upload copies the inputs to the device.
func upload(d gpu.Device, q *problem, to gpu.Pointer) error {
	if q.Double {
		return gpu.Upload(d, to, q.in64)
	}
	return gpu.Upload(d, to, q.in32)
}

// verifyDevice compares the output with the reference answer, then lets back
// transform it the other way over the inputs, which it compares and restores.
func verifyDevice(env framework.Env, q *problem, in, out gpu.Pointer, back func() error) ([]framework.Check, error) {
	if q.Double {
		return verifyOn(env, q, q.in64, in, out, back)
	}
	return verifyOn(env, q, q.in32, in, out, back)
}

func verifyOn[T element](env framework.Env, q *problem, input []T, in, out gpu.Pointer, back func() error) ([]framework.Check, error) {
	checks, err := checkAll(q, downloaded[T](env.Device, q, out))
	if err != nil {
		return nil, err
	}
	if err := back(); err != nil {
		return nil, err
	}
	if err := env.Device.Synchronize(env.Stream); err != nil {
		return nil, err
	}
	returned, err := roundTrip(q, input, downloaded[T](env.Device, q, in))
	if err != nil {
		return nil, err
	}
	return append(checks, returned...), upload(env.Device, q, in)
}

// verifyDeviceFast examines the output while it is downloaded.
func verifyDeviceFast(d gpu.Device, q *problem, out gpu.Pointer) ([]framework.Check, error) {
	if q.Double {
		return verifyFast(q, downloaded[complex128](d, q, out))
	}
	return verifyFast(q, downloaded[complex64](d, q, out))
}

// downloaded is an answer in parts: on a board whose GPU shares the memory, a
// download of it all would take as much again.
func downloaded[T element](d gpu.Device, q *problem, from gpu.Pointer) give[T] {
	return func(take func(int, []T)) error {
		return gpu.DownloadParts(d, q.elements(), partElements, from, take)
	}
}

// partElements are downloaded at once: a power of two, so that parts are whole
// transforms or whole fractions of one.
const partElements = 1 << 20
