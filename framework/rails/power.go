package rails

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// Attribute is an open file of sysfs.
type Attribute interface {
	ReadAt(b []byte, off int64) (int, error)
	Close() error
}

// Opener opens an attribute; tests put errors in between.
type Opener func(path string) (Attribute, error)

// Open is the Opener of files.
func Open(path string) (Attribute, error) { return linux.Open(path) }

// Input is an open attribute. A value of Top or more, with either sign, says that the chip's register
// is at the end of its range; 0: no limit.
type Input struct {
	Attribute
	Path string
	Top  int64
}

// Power is a rail's power in watts, the product of the values in its inputs by Divisor, or the energy
// that a counter has counted, in joules.
type Power struct {
	Inputs  []Input
	Divisor float64
	// Unsigned is set where what is below 0 is no reading, and Counter where each number is one.
	Unsigned, Counter bool

	// failed is the input of which the last reading failed, and failure why; nil if it did not.
	failed  int
	failure error
}

// Add opens another input.
func (p *Power) Add(open Opener, path string, top int64) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	p.Inputs = append(p.Inputs, Input{f, path, top})
	return nil
}

// ErrFull reports a register at the end of its range.
var ErrFull = errors.New("the monitor is at the end of its range, so that the rail has more than it can tell")

// Read reads the power; NaN if that fails, for which Failure then has the reason. It uses text, which
// has room for a number.
func (p *Power) Read(text []byte) float64 {
	v := 1.0
	read := machine.ReadWhole
	if p.Counter {
		read = machine.ReadCounter
	}
	for i, in := range p.Inputs {
		x, err := read(in.Attribute, text)
		switch {
		case err != nil:
		case in.Top > 0 && (x >= in.Top || x <= -in.Top):
			err = ErrFull
		case x < 0 && p.Unsigned:
			err = fmt.Errorf("%d is no reading: the register has no sign", x)
		}
		if p.failed, p.failure = i, err; err != nil {
			return math.NaN()
		}
		v *= float64(x)
	}
	return v / p.Divisor
}

// Failure is the file that gave no reading, and why; nil if the last Read was one.
func (p *Power) Failure() error {
	if p.failure == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", p.Inputs[p.failed].Path, p.failure)
}

// Close closes the files.
func (p *Power) Close() error {
	var errs []error
	for _, in := range p.Inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}
