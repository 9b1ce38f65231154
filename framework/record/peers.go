package record

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework"
)

// PeerSpeeds are how many times as fast as the fastest peer versions are, each at its problem, device and power mode.
type PeerSpeeds struct {
	Peers []string     // that are the fastest anywhere, in the order of the rows
	bases map[int]*Row // the fastest peer's row, by the number of a version's point
}

// PeerSpeeds finds the fastest peer of each problem; it returns nil if no other version shares a problem with one.
func (r *Run) PeerSpeeds() *PeerSpeeds {
	fastest := map[string]*Row{}
	for i := range r.Rows {
		w := &r.Rows[i]
		if !slices.Contains(r.Info.Peers, w.Version) || !(w.Time.Median.Float() > 0) {
			continue
		}
		k := problemOf(w)
		if had := fastest[k]; had == nil || w.Time.Median.Float() < had.Time.Median.Float() {
			fastest[k] = w
		}
	}
	if len(fastest) == 0 {
		return nil
	}
	p := &PeerSpeeds{bases: map[int]*Row{}}
	for i := range r.Rows {
		w := &r.Rows[i]
		base := fastest[problemOf(w)]
		if base == nil || base.Version == w.Version || !(w.Time.Median.Float() > 0) {
			continue
		}
		p.bases[w.Point] = base
		if !slices.Contains(p.Peers, base.Version) {
			p.Peers = append(p.Peers, base.Version)
		}
	}
	if p.Peers == nil {
		return nil
	}
	return p
}

// problemOf names what a row and its peers have in common. What says how a version is used, such as a stream, is not in
// it.
func problemOf(w *Row) string {
	params := ""
	for name, v := range w.Params.All() {
		if framework.UsageParam(name) == nil {
			params += fmt.Sprintf("%q=%q ", name, v)
		}
	}
	return fmt.Sprintf("%s|%s|%s|%s|%s", w.Algorithm, w.Processor, w.Device, w.PowerMode, params)
}

// Of returns the peer's time divided by the row's. It is not set for the fastest peers, and without a peer.
func (p *PeerSpeeds) Of(w *Row) Number {
	base := p.bases[w.Point]
	if base == nil {
		return Number{}
	}
	return Measured(base.Time.Median.Float() / w.Time.Median.Float())
}

// Low and High are the ends of the 95 % interval of Of, by those of both medians, which are independent.
func (p *PeerSpeeds) Low(w *Row) Number { return p.end(w, -1) }

// High returns the upper end of the interval.
func (p *PeerSpeeds) High(w *Row) Number { return p.end(w, 1) }

func (p *PeerSpeeds) end(w *Row, side float64) Number {
	base := p.bases[w.Point]
	if base == nil {
		return Number{}
	}
	// On a logarithmic scale the halves of the intervals add in quadrature.
	slower, faster := math.Log(w.Time.High.Float()/w.Time.Median.Float()), math.Log(w.Time.Median.Float()/w.Time.Low.Float())
	baseSlower, baseFaster := math.Log(base.Time.High.Float()/base.Time.Median.Float()), math.Log(base.Time.Median.Float()/base.Time.Low.Float())
	half := math.Hypot(faster, baseSlower)
	if side < 0 {
		half = math.Hypot(slower, baseFaster)
	}
	return Measured(p.Of(w).Float() * math.Exp(side*half))
}

// Hollow reports whether either side is in doubt.
func (p *PeerSpeeds) Hollow(w *Row) bool {
	base := p.bases[w.Point]
	return w.HollowTime() || base != nil && base.HollowTime()
}
