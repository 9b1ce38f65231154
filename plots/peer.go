package plots

import "bench/framework/record"

// peerSpeed shows how many times as fast as the fastest peer the versions are; nothing where there is none.
func peerSpeed(run *record.Run) []quantity {
	p := run.PeerSpeeds()
	if p == nil {
		return nil
	}
	peer := "the fastest peer"
	if len(p.Peers) == 1 {
		peer = p.Peers[0]
	}
	return []quantity{{
		name: "peer_speed", title: "speed relative to " + peer, cold: true,
		value: p.Of, low: p.Low, high: p.High, bar: "95 % interval", doubtful: p.Hollow, band: true, line: 1,
	}}
}

// ceilingShare shows how near the measured ceilings the versions come: the share of the copy's or the FMA's rate,
// whichever is larger, by nominal bytes and operations.
var ceilingShare = quantity{
	name: "ceiling_share", title: "share of the measured ceiling", cold: true, doubtful: timeDoubtful, line: 1,
	value: func(w *record.Row) record.Number {
		if c, f := w.Memory.CopyShare, w.Work.FMAShare; !c.IsSet() || f.IsSet() && f.Float() > c.Float() {
			return f
		}
		return w.Memory.CopyShare
	},
}
