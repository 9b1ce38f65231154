package trace

import (
	"fmt"
	"math/bits"

	"bench/cuda/ptx"
)

const (
	// slice is how many instructions a block executes before those beside it that others
	// wait for go on.
	slice = 20_000
	// mostBeside blocks are begun because one waits.
	mostBeside = 64
	// mostStuck are the rounds in which all that were begun only wait.
	mostStuck = 3
)

// together executes blocks of a launch, those beside one that waits for them too.
type together struct {
	*recorder
	run   *ptx.Launch
	begun map[int]*running
	order []*running   // as they were begun
	kept  map[int]bool // blocks whose instructions are kept
	spent int
}

type running struct {
	*recording
	code  *ptx.Running
	ended bool
}

func (t *together) begin(number int) (*running, error) {
	if x := t.begun[number]; x != nil {
		return x, nil
	}
	own := *t.run
	x := &running{recording: t.recorder.begin(number, t.kept[number])}
	own.Observe = x.observe
	var err error
	if x.code, err = own.Begin(number); err != nil {
		return nil, err
	}
	t.begun[number] = x
	t.order = append(t.order, x)
	return x, nil
}

// execute executes a block to its end. Where most of what it does is to ask for what is
// not there yet, it waits for others: one more of those beside it is begun each time, and
// all that were begun go on.
func (t *together) execute(number int) (*Block, error) {
	x, err := t.begin(number)
	if err != nil {
		return nil, err
	}
	before, stuck, all := t.spent, 0, t.run.Grid.Count()
	low, high := number, number // from where to where blocks beside it were begun
	for !x.ended {
		waits, err := t.goOn(x)
		if err != nil {
			return nil, err
		}
		switch {
		case stuck == mostStuck:
			return nil, fmt.Errorf("kernel %s: block %d waits for others than the %d that were executed with it", t.run.Kernel.Name, number, len(t.order)-1)
		case t.spent-before > t.run.Limit:
			return nil, fmt.Errorf("kernel %s, block %d: %w", t.run.Kernel.Name, number, ptx.ErrLimit)
		}
		if !waits {
			continue
		}
		stuck++
		if high-low < min(mostBeside, all-1) {
			at := high + 1
			if at == all || low > 0 && number-low < high-number {
				low--
				at = low
			} else {
				high++
			}
			if _, err := t.begin(at); err != nil {
				return nil, err
			}
			stuck = 0
		}
		for _, other := range t.order {
			if other == x || other.ended {
				continue
			}
			waits, err := t.goOn(other)
			if err != nil {
				return nil, err
			}
			if !waits {
				stuck = 0
			}
		}
	}
	return x.block, nil
}

// goOn executes a slice of a block; waits is true where most of it only asked for what is
// not there.
func (t *together) goOn(x *running) (waits bool, err error) {
	steps, waited := x.code.Steps(), x.waited
	x.ended, err = x.code.Go(slice)
	steps = x.code.Steps() - steps
	t.spent += steps
	return !x.ended && 2*(x.waited-waited) > steps, err
}

// poll is what a warp did since it last loaded something past the first-level cache,
// while it did nothing else that others see.
type poll struct {
	at             int32
	active         uint32
	address        uint64
	asked          accessed
	since          []executed
	steps, sectors int // that had been kept
	armed          bool
}

// accessed is what one access of global memory counts for.
type accessed struct {
	bytes, sectors, lines, least float64
	narrow                       bool
}

// mostPolled is how many instructions a loop has that waits, at most.
const mostPolled = 32

// again takes back what a warp did since it asked for the same before: so often it waits,
// and a GPU, on which the others run meanwhile, waits less often.
func (r *recording) again(e *ptx.Event, i *ptx.Instruction) {
	p := &r.polls[e.Warp]
	if p.armed && (len(p.since) == mostPolled || i.Class == ptx.Barrier || e.Addresses != nil && e.Space != ptx.Const && (i.Store || i.Atomic)) {
		p.armed = false
	}
	if e.Space != ptx.Global || i.Cached || i.Store || i.Atomic || e.Active == 0 {
		if p.armed {
			p.since = append(p.since, executed{int32(e.At), e.Active, e.Parted})
			p.armed = e.Addresses == nil || e.Space == ptx.Const
		}
		return
	}
	w := &r.block.Warps[e.Warp]
	address := e.Addresses[bits.TrailingZeros32(e.Active)]
	if p.armed && p.at == int32(e.At) && p.active == e.Active && p.address == address {
		for _, x := range p.since {
			r.tally(x, e.Warp, -1)
		}
		c := &r.block.Counts
		c.GlobalLoads--
		c.GlobalBytes -= p.asked.bytes
		c.GlobalSectors -= p.asked.sectors
		c.GlobalLines -= p.asked.lines
		c.LeastSectors -= p.asked.least
		if p.asked.narrow {
			c.Narrow--
		}
		w.Total -= len(p.since)
		if r.keep {
			w.Steps, w.Sectors = w.Steps[:min(len(w.Steps), p.steps)], w.Sectors[:min(len(w.Sectors), p.sectors)]
		}
		r.waited += len(p.since)
	}
	*p = poll{at: int32(e.At), active: e.Active, address: address, since: append(p.since[:0], executed{int32(e.At), e.Active, e.Parted}),
		steps: len(w.Steps), sectors: len(w.Sectors), armed: true}
}
