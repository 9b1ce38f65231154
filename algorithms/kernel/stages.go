package kernel

import (
	"example.org/bench/framework"
	"example.org/bench/framework/digest"
)

var _ framework.Staged = (*gpuRun)(nil)

// kernelStage is the launches of one kernel.
type kernelStage struct {
	framework.Stage
	launches []int // indexes in gpuRun.launch
}

// staged groups the launches of a run by their kernels. It does so once, since stages are enqueued between
// launches that are timed.
func (g *gpuRun) staged() []kernelStage {
	if g.stages != nil {
		return g.stages
	}
	at, list := map[string]int{}, []kernelStage{}
	for i := range g.launch {
		name := g.launch[i].name
		n, ok := at[name]
		if !ok {
			n = len(list)
			at[name] = n
			list = append(list, kernelStage{Stage: framework.Stage{Name: name}})
		}
		s := &list[n]
		s.Apart = s.Apart || s.Launches > 0 && s.launches[s.Launches-1] != i-1
		s.launches, s.Launches = append(s.launches, i), s.Launches+1
	}
	g.stages = list
	return list
}

// Stages implements framework.Staged. A stage is all launches of one kernel.
func (g *gpuRun) Stages() (list []framework.Stage) {
	for _, s := range g.staged() {
		list = append(list, s.Stage)
	}
	return list
}

// RunStage implements framework.Staged.
func (g *gpuRun) RunStage(i int) error {
	for _, n := range g.staged()[i].launches {
		if err := g.enqueue(&g.launch[n]); err != nil {
			return err
		}
	}
	return nil
}

// RunBefore implements framework.Staged.
func (g *gpuRun) RunBefore(i int) error {
	for n := range g.staged()[i].launches[0] {
		if err := g.enqueue(&g.launch[n]); err != nil {
			return err
		}
	}
	return nil
}

// Repeatable implements framework.Staged. If the device has no digests, the stage counts as one that changes
// what it reads.
func (g *gpuRun) Repeatable(i int) (bool, error) {
	d := g.p.digester(g.Device)
	if d == nil {
		return false, nil
	}
	if err := g.RunBefore(i); err != nil {
		return false, err
	}
	var sums [2]uint64
	for n := range sums {
		if err := g.RunStage(i); err != nil {
			return false, err
		}
		sum, ok, err := g.digestAll(d)
		if err != nil || !ok {
			return false, err
		}
		sums[n] = sum
	}
	return sums[0] == sums[1], nil
}

// digestAll returns the digest of all memory that kernels can write. ok is false if an array has no digest.
func (g *gpuRun) digestAll(d *digest.Digester) (sum uint64, ok bool, err error) {
	places := make([]readyGlobal, 0, len(g.vectors))
	for i, at := range g.vectors {
		places = append(places, readyGlobal{at: at, bytes: g.bytes[i]})
	}
	places = append(places, g.variables...)
	for _, c := range g.globals {
		if c.written {
			places = append(places, c)
		}
	}
	for _, x := range places {
		if x.at == 0 || x.bytes == 0 {
			continue
		}
		if x.bytes >= digest.MostBytes || x.at%4 != 0 { // a digest reads words
			return 0, false, nil
		}
		s, err := d.Of(x.at, x.bytes, g.Env.Stream)
		if err != nil {
			return 0, false, err
		}
		sum = 31*sum + s
	}
	return sum, true, nil
}
