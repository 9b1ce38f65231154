package trace

import (
	"errors"
	"fmt"
	"math/bits"

	"example.org/bench/analysis/ptx"
)

const (
	// slice is the number of instructions that a block executes before the other blocks go on; brief is
	// the number for a block that only waited.
	slice = 20_000
	brief = 1_000
	// mostBeside is the largest number of blocks that are begun because one waits.
	mostBeside = 64
	// mostStuck is the largest number of rounds in which all blocks that were begun only wait.
	mostStuck = 3
)

// together executes blocks of a launch together with the neighbouring blocks that they wait for.
type together struct {
	*recorder
	*queues
	run   *ptx.Launch
	begun map[int]*running
	order []*running // in the order in which they were begun
	spent int
	alone bool // blocks do not wait
}

type running struct {
	*recording
	code  *ptx.Running
	ended bool
	waits bool // whether it waited at its last turn
}

func (t *together) begin(number int) (*running, error) {
	if x := t.begun[number]; x != nil {
		return x, nil
	}
	own := *t.run
	x := &running{recording: t.recorder.begin(number)}
	own.Observe = x.observe
	var err error
	if x.code, err = own.Begin(number); err != nil {
		return nil, err
	}
	t.begun[number] = x
	t.order = append(t.order, x)
	return x, nil
}

// errWaits is the error of a block that waits for blocks that are not executed with it.
var errWaits = errors.New("it waits for others than those that were executed with it")

// execute executes a block to its end. A block waits for others where it mostly asks again for data that
// is not there. Each time, one more neighbouring block is begun, and all blocks that were begun go on.
// Where alone is set, the block goes on as if the data were there.
func (t *together) execute(number int) (*Block, error) {
	x, err := t.begin(number)
	if err != nil {
		return nil, err
	}
	own, before := x.code.Steps(), t.spent
	beside := beside{low: number, high: number, all: t.run.Grid.Count()}
	for stuck := 0; !x.ended; {
		waits, err := t.goOn(x)
		switch {
		case err != nil:
			return nil, err
		case t.found: // it executed other work than its share
			return nil, nil
		case x.code.Steps()-own > t.run.Limit:
			return nil, fmt.Errorf("kernel %s, block %d: %w", t.run.Kernel.Name, number, ptx.ErrLimit)
		case !waits:
			continue
		case t.alone:
			x.leave()
			continue
		case stuck == mostStuck, t.spent-before > t.run.Limit:
			return nil, errWaits
		}
		stuck++
		if at, ok := beside.next(number); ok {
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

// beside is the range of the blocks that were begun.
type beside struct{ low, high, all int }

// next returns the next block to begin, on alternate sides as long as both have one.
func (b *beside) next(number int) (at int, ok bool) {
	if b.high-b.low >= min(mostBeside, b.all-1) {
		return 0, false
	}
	if at = b.high + 1; at == b.all || b.low > 0 && number-b.low < b.high-number {
		b.low--
		return b.low, true
	}
	b.high++
	return at, true
}

// leave makes the warps that only wait leave their loops.
func (x *running) leave() {
	for n := range x.polls {
		if p := &x.polls[n]; p.armed && p.repeated {
			x.code.Leave(n, int(p.at))
			p.armed = false
		}
	}
}

// goOn executes a slice of a block. waits is true where most of it only asked for data that was not
// there.
func (t *together) goOn(x *running) (waits bool, err error) {
	steps, waited, n := x.code.Steps(), x.waited, slice
	if x.waits {
		n = brief
	}
	x.ended, err = x.code.Go(n)
	steps = x.code.Steps() - steps
	t.spent += steps
	x.waits = !x.ended && 2*(x.waited-waited) > steps
	return x.waits, err
}

// poll is what a warp did since it last loaded data past the first-level cache, as long as it did nothing
// else that others see.
type poll struct {
	at             int32
	active         uint32
	address        uint64
	asked          accessed
	since          []executed
	steps, sectors int // kept before the load
	armed          bool
	repeated       bool // whether it asked for the same before
}

// accessed is what one access of global memory counts for.
type accessed struct {
	bytes, sectors, lines, cycles, least float64
	narrow                               bool
}

// mostPolled is the largest number of instructions in a loop that waits.
const mostPolled = 32

// again removes from the counts what a warp did since it asked for the same before. The warp waits that
// often here; on a GPU the other warps run meanwhile, and it waits less often.
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
	repeated := false
	if p.armed && p.at == int32(e.At) && p.active == e.Active && p.address == address {
		for _, x := range p.since {
			r.tally(x, e.Warp, -1)
		}
		c := &r.block.Counts
		c.GlobalLoads--
		c.GlobalBytes -= p.asked.bytes
		c.GlobalSectors -= p.asked.sectors
		c.GlobalLines -= p.asked.lines
		c.L1Cycles -= p.asked.cycles
		c.LeastSectors -= p.asked.least
		if p.asked.narrow {
			c.Narrow--
		}
		w.Total -= len(p.since)
		w.Steps, w.Sectors = w.Steps[:min(len(w.Steps), p.steps)], w.Sectors[:min(len(w.Sectors), p.sectors)]
		r.waited += len(p.since)
		repeated = true
	}
	*p = poll{at: int32(e.At), active: e.Active, address: address, since: append(p.since[:0], executed{int32(e.At), e.Active, e.Parted}),
		steps: len(w.Steps), sectors: len(w.Sectors), armed: true, repeated: repeated}
}
