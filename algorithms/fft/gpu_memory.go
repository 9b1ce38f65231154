package fft

import (
	"bench/cuda"
	"bench/framework"
)

// uploadTable uploads twiddle factors, rounded to the kernel's precision.
func uploadTable(r *framework.GPURun, w []complex128, double bool) (cuda.Pointer, error) {
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

// upload copies the inputs to the device.
func upload(d cuda.Device, q *problem, to cuda.Pointer) error {
	if q.Double {
		return cuda.Upload(d, to, q.in64)
	}
	return cuda.Upload(d, to, q.in32)
}

// verifyDevice compares the output with the reference answer, then lets back
// transform it the other way over the inputs, which it compares and restores.
func verifyDevice(env framework.Env, q *problem, in, out cuda.Pointer, back func() error) ([]framework.Check, error) {
	var checks []framework.Check
	if q.Double {
		got, err := download[complex128](env.Device, q, out)
		if err != nil {
			return nil, err
		}
		checks = q.check64(got)
	} else {
		got, err := download[complex64](env.Device, q, out)
		if err != nil {
			return nil, err
		}
		checks = q.check32(got)
	}
	if err := back(); err != nil {
		return nil, err
	}
	if err := env.Device.Synchronize(env.Stream); err != nil {
		return nil, err
	}
	if q.Double {
		got, err := download[complex128](env.Device, q, in)
		if err != nil {
			return nil, err
		}
		checks = append(checks, q.roundTrip64(got))
	} else {
		got, err := download[complex64](env.Device, q, in)
		if err != nil {
			return nil, err
		}
		checks = append(checks, q.roundTrip32(got))
	}
	return checks, upload(env.Device, q, in)
}

// verifyDeviceFast examines the output while it is downloaded.
func verifyDeviceFast(d cuda.Device, q *problem, out cuda.Pointer) ([]framework.Check, error) {
	if q.Double {
		return verifyFast(q, func(take func(int, []complex128)) error {
			return cuda.DownloadParts(d, q.elements(), partElements, out, take)
		})
	}
	return verifyFast(q, func(take func(int, []complex64)) error {
		return cuda.DownloadParts(d, q.elements(), partElements, out, take)
	})
}

// partElements are downloaded at once: a power of two, so that parts are whole
// transforms or whole fractions of one.
const partElements = 1 << 20

func download[T complex64 | complex128](d cuda.Device, q *problem, from cuda.Pointer) ([]T, error) {
	got := make([]T, q.elements())
	return got, cuda.Download(d, got, from)
}
