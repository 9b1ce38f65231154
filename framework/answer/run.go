package answer

import (
	"errors"
	"runtime"
	"slices"
	"unsafe"

	"example.org/bench/framework"
)

// Run copies the inputs to the device, runs the version, copies its answer back and
// returns once it is there.
func (a *Algorithm) Run() error {
	if err := a.enqueue(); err != nil {
		return errors.Join(err, a.o.Device.Synchronize(a.alg.Stream()))
	}
	if err := a.wait(); err != nil {
		return err
	}
	a.touch()
	return nil
}

func (a *Algorithm) enqueue() error {
	d, s := a.o.Device, a.alg.Stream()
	for _, p := range a.in {
		if err := d.CopyToDeviceAsync(p.at, unsafe.Pointer(&p.host[0]), int64(len(p.host)), s); err != nil {
			return err
		}
	}
	if err := a.alg.Run(); err != nil {
		return err
	}
	for _, p := range a.out {
		if err := d.CopyToHostAsync(unsafe.Pointer(&p.host[0]), p.at, int64(len(p.host)), s); err != nil {
			return err
		}
	}
	return nil
}

// pageBytes is the least that moves at once of managed memory.
const pageBytes = 4 << 10

// touch reads each page of an answer in place, so that managed ones move to the host.
func (a *Algorithm) touch() {
	read := byte(0)
	for _, p := range a.touched {
		for i := 0; i < len(p.host); i += pageBytes {
			read += p.host[i]
		}
	}
	runtime.KeepAlive(read)
}

// Reset writes the inputs in place, as who delivers them does. The device is at rest.
func (a placing) Reset() error {
	for _, p := range a.placed {
		copy(p.host, p.from)
	}
	return nil
}

// Verify checks the answer on the host by what the version checks its own by.
func (a *Algorithm) Verify() ([]framework.Check, error) {
	if err := a.bring(); err != nil {
		return nil, err
	}
	return a.alg.Verify()
}

// VerifyFast is the version's, of the answer on the host.
func (a *Algorithm) VerifyFast() ([]framework.Check, error) {
	fast, ok := a.alg.(framework.FastVerifier)
	if !ok {
		return nil, framework.ErrNoFastCheck
	}
	if err := a.bring(); err != nil {
		return nil, err
	}
	return fast.VerifyFast()
}

// Recheck is the version's, of the answer on the host; no check where it has none.
func (a *Algorithm) Recheck() ([]framework.Check, error) {
	r, ok := a.alg.(framework.Rechecker)
	if !ok {
		return nil, nil
	}
	if err := a.bring(); err != nil {
		return nil, err
	}
	return r.Recheck()
}

// Answers are the version's, of the answer on the host; none where it shows none.
func (a *Algorithm) Answers() ([]framework.Answer, error) {
	shown, ok := a.alg.(framework.Answerer)
	if !ok {
		return nil, nil
	}
	if err := a.bring(); err != nil {
		return nil, err
	}
	return shown.Answers()
}

// bring puts the answer that arrived on the host in place of the device's own, which
// the version looks at.
func (a *Algorithm) bring() error {
	for _, p := range a.out {
		if err := a.o.Device.CopyToDevice(p.at, unsafe.Pointer(&p.host[0]), int64(len(p.host))); err != nil {
			return err
		}
	}
	return nil
}

// Work is the version's, with the bytes that are copied.
func (a *Algorithm) Work() framework.Work {
	w := a.alg.Work()
	w.CopiedIn, w.CopiedOut = a.work.CopiedIn, a.work.CopiedOut
	return w
}

// Workers is 0: the host copies and waits.
func (a *Algorithm) Workers() int { return 0 }

// PostRun frees the host's arrays and what the version holds.
func (a *Algorithm) PostRun() error {
	var errs []error
	for _, f := range slices.Backward(a.last) {
		errs = append(errs, f())
	}
	a.last, a.in, a.out, a.placed, a.touched = nil, nil, nil, nil, nil
	return errors.Join(append(errs, a.alg.PostRun())...)
}
