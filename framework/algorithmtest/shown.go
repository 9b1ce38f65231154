package algorithmtest

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
	"example.org/bench/gpu"
)

// shown: of a right answer no element is shown as wrong, of outputs that are overwritten
// nearly all are, and a run writes them again.
func (s subject) shown(params framework.Values) error {
	i, err := s.solved(params)
	if err != nil {
		return err
	}
	defer i.end() //nolint:errcheck // answers looks at it
	a, ok := i.BaseAlgorithm.(framework.Answerer)
	if !ok {
		return nil
	}
	if err := noneWrong(a); err != nil {
		return err
	}
	o, ok := a.(framework.Overwriter)
	if !ok {
		return nil
	}
	restore, err := kept(o, i.env.Device)
	if err != nil {
		return err
	}
	const value = 0x5a
	if err := o.Overwrite(value); err != nil {
		return fmt.Errorf("Overwrite: %w", err)
	}
	if i.env.Device != nil {
		if err := i.env.Device.Synchronize(i.env.Stream); err != nil {
			return err
		}
	}
	wrong, all, err := wrongElements(a)
	if err != nil {
		return err
	}
	_, inPlace := a.(framework.Resetter) // what a run reads is left
	if 2*wrong < all && !(inPlace && wrong == 0) {
		return fmt.Errorf("%d of %d overwritten elements are shown as wrong", wrong, all)
	}
	if restore != nil {
		if err := restore(); err != nil {
			return err
		}
		if err := noneWrong(a); err != nil {
			return fmt.Errorf("what Overwritten told was put back: %w", err)
		}
		if err := o.Overwrite(value); err != nil {
			return fmt.Errorf("Overwrite: %w", err)
		}
	}
	if err := i.run(); err != nil {
		return err
	}
	return noneWrong(a)
}

// kept keeps the device memory that o tells it overwrites; restore, which is nil where it tells none, puts it back.
func kept(o framework.Overwriter, d gpu.Device) (restore func() error, err error) {
	m, ok := o.(framework.MemoryOverwriter)
	if !ok || d == nil {
		return nil, nil
	}
	list := m.Overwritten()
	contents := make([][]byte, len(list))
	for i, x := range list {
		contents[i] = make([]byte, x.Bytes)
		if err := gpu.Download(d, contents[i], x.At); err != nil {
			return nil, err
		}
	}
	return func() error {
		for i, x := range list {
			if err := gpu.Upload(d, x.At, contents[i]); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// noneWrong refuses an answer of which elements are shown as wrong.
func noneWrong(a framework.Answerer) error {
	answers, err := a.Answers()
	if err != nil {
		return fmt.Errorf("Answers: %w", err)
	}
	for _, x := range answers {
		m, err := mismatch.Of(x, nil)
		if err != nil {
			return fmt.Errorf("Answers: %w", err)
		}
		if m.Wrong > 0 {
			return errors.New("Answers of a right answer: " + m.String())
		}
	}
	return nil
}

// wrongElements are how many elements are shown as wrong, of how many.
func wrongElements(a framework.Answerer) (wrong, all int, err error) {
	answers, err := a.Answers()
	if err != nil {
		return 0, 0, fmt.Errorf("Answers: %w", err)
	}
	for _, x := range answers {
		m, err := mismatch.Of(x, nil)
		if err != nil {
			return 0, 0, fmt.Errorf("Answers: %w", err)
		}
		wrong, all = wrong+m.Wrong, all+m.Elements
	}
	return wrong, all, nil
}
