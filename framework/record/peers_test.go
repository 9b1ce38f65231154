package record

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// TestPeerSpeeds has two peers, of which another is the fastest at each size, a GPU's version without a peer, and a size
// that no peer has.
func TestPeerSpeeds(t *testing.T) {
	row := func(version string, processor framework.Processor, n int64, median, low, high float64) Row {
		w := Row{Key: Key{Algorithm: "fft", Version: version, Processor: processor}, Outcome: Outcome{Status: OK}}
		w.Params = w.Params.With("N", framework.IntValue(n))
		w.Time.Median, w.Time.Low, w.Time.High = Measured(median), Measured(low), Measured(high)
		return w
	}
	r := &Run{Rows: []Row{
		row("own", framework.CPU, 64, 2, 1.8, 2.4), row("own", framework.CPU, 128, 4, 4, 4), row("own", framework.CPU, 256, 8, 8, 8), row("own", framework.GPU, 64, 1, 1, 1),
		row("a", framework.CPU, 64, 3, 2.7, 3.3), row("a", framework.CPU, 128, 3, 3, 3), row("b", framework.CPU, 64, 5, 5, 5), row("b", framework.CPU, 128, 2, 2, 2),
	}}
	for i := range r.Rows {
		r.Rows[i].Point = i
	}
	if r.PeerSpeeds() != nil {
		t.Error("there are speeds without a peer")
	}
	r.Info.Peers = []string{"a", "b"}
	p := r.PeerSpeeds()
	if len(p.Peers) != 2 {
		t.Errorf("the fastest peers are %q", p.Peers)
	}
	for i, want := range []float64{1.5, 0.5, math.NaN(), math.NaN(), math.NaN(), 2. / 3, 0.6, math.NaN()} {
		if got := p.Of(&r.Rows[i]).Float(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	// ln(2.4/2) and ln(3/2.7) below, ln(2/1.8) and ln(3.3/3) above.
	low, high := 1.5*math.Exp(-math.Hypot(math.Log(1.2), math.Log(3/2.7))), 1.5*math.Exp(math.Hypot(math.Log(2/1.8), math.Log(1.1)))
	if l, h := p.Low(&r.Rows[0]).Float(), p.High(&r.Rows[0]).Float(); math.Abs(l-low) > 1e-12 || math.Abs(h-high) > 1e-12 {
		t.Errorf("interval %v to %v, want %v to %v", l, h, low, high)
	}
}
