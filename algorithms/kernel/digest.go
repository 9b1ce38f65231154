package kernel

import (
	"example.org/bench/framework/digest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// digester returns the problem's digester on a real GPU. It returns nil if there is no kernel of the digester
// or the device is no GPU; the host then compares. Without it a trial whose kernel takes 20 us would wait
// until 16 MB have come to the host three times, mostly the same bits as in the trial before.
func (p *problem) digester(d gpu.Device) *digest.Digester {
	if p.digests {
		return p.onDevice
	}
	p.digests = true
	_, cuda := d.(*driver.GPU) // not in placed memory
	if cuda || d.Facts().OpenCL != nil {
		p.onDevice, _ = digest.New(d)
	}
	return p.onDevice
}

// holds reports whether a vector is known to have those bytes. known caches the digest of data.
func (g *gpuRun) holds(i int, data []byte, known *uint64) (bool, error) {
	d := g.p.digester(g.Device)
	if d == nil || g.vectors[i] == 0 || len(data) == 0 || int64(len(data)) != g.bytes[i] || len(data) >= digest.MostBytes {
		return false, nil
	}
	if *known == 0 {
		*known = digest.Of(data)
	}
	sum, err := d.Of(g.vectors[i], g.bytes[i], g.Env.Stream)
	return err == nil && sum == *known, err
}

// asJudged implements answerer.
func (g *gpuRun) asJudged(i int) (bool, error) {
	last := g.p.judged[i]
	if last == nil {
		return false, nil
	}
	return g.holds(i, last.answer.data, &last.digest)
}

// asUploaded reports whether an input is known to be what was uploaded.
func (g *gpuRun) asUploaded(i int) (bool, error) {
	known := g.p.inputDigests[i]
	same, err := g.holds(i, g.p.inputs[i].data, &known)
	g.p.inputDigests[i] = known
	return same, err
}
