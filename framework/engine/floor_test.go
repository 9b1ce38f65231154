package engine

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/test/published"
)

// No time of a published run is below what writing takes at least: the bytes that its version stores,
// or half of the nominal ones where these are not known.
func TestFloorOfPublishedRuns(t *testing.T) {
	points, nearest := 0, 0.0
	folders, err := published.Folders("../..", "run.json")
	for _, path := range folders {
		r, err := record.Read(path)
		if err != nil {
			continue // of another form; test/literature reads those that pages name
		}
		for _, row := range r.Rows {
			if row.Status != record.OK || row.Processor != framework.GPU || !row.Time.Median.IsSet() {
				continue
			}
			for _, d := range r.Info.Devices {
				if d.ID != row.Device || d.Facts == nil {
					continue
				}
				bytes := row.Memory.NominalBytes.Int() / 2
				if row.Memory.StoreBytes.IsSet() {
					bytes = row.Memory.StoreBytes.Int()
				}
				times := []float64{row.Time.Median.Float()}
				if hot := row.Hot.Get(); hot.Median.IsSet() {
					times = append(times, hot.Median.Float())
				}
				for _, s := range times {
					points++
					share := floor(bytes, d.Facts, 0, 0) / s
					nearest = max(nearest, share)
					if share > 1 {
						t.Errorf("%s, %s of %s: %v s for %d bytes, of which the floor is %.3g", path, row.Version, row.Algorithm, s, bytes, share)
					}
				}
			}
		}
	}
	if err != nil || points < 1000 {
		t.Errorf("%d times, %v", points, err)
	}
	t.Logf("%d times; the floor is %.2f of the nearest", points, nearest)
}

// writing is a version that writes so many bytes.
type writing struct {
	framework.BaseAlgorithm
	bytes int64
}

func (w writing) Written() int64 { return w.bytes }

// A point is impossible from where its answer cannot have been written in its time; what says nothing of
// its answer is not.
func TestImpossible(t *testing.T) {
	w := &worker{setup: setup{}}
	at := func(alg framework.BaseAlgorithm, seconds float64) *record.Result {
		res := &record.Result{Status: record.OK, Hot: &measure.Series{Samples: []float64{2 * seconds, seconds, seconds}}}
		w.impossible(alg, res)
		return res
	}
	const bytes = 1 << 30
	least := floor(bytes, nil, 0, 1)
	if res := at(writing{bytes: bytes}, least/1000); res.Status != record.Impossible || res.Hot != nil || !strings.Contains(res.Reason, "less than the ") {
		t.Errorf("%+v", res)
	}
	if res := at(writing{bytes: bytes}, 1.01*least); res.Status != record.OK || res.Hot == nil {
		t.Errorf("%+v", res)
	}
	if res := at(writing{}, 1e-12); res.Status != record.OK {
		t.Errorf("%+v", res)
	}
	if res := at(struct{ framework.BaseAlgorithm }{}, 1e-12); res.Status != record.OK {
		t.Errorf("%+v", res)
	}

	h100 := gpu.Facts{Multiprocessors: 132, ClockHz: 1_980_000_000, MemoryClockHz: 2_619_000_000, MemoryBusBits: 5120, L2Bytes: 50 << 20}
	tx1 := gpu.Facts{Multiprocessors: 2, ClockHz: 998_400_000, MemoryClockHz: 12_750_000, MemoryBusBits: 64, L2Bytes: 256 << 10, Integrated: true}
	for _, c := range []struct {
		name  string
		facts gpu.Facts
		bytes int64
		clock float64
		want  float64
	}{
		{"what the cache takes is bounded by the multiprocessors", h100, 33_454_080, 0, 1e-6},
		{"what it does not take by the memory", h100, 50<<20 + 6_704_640, 0, (50<<20 + 6_704_640) / (128 * 132 * 1.98e9)},
		{"much more by the memory alone", h100, 50<<20 + 67_046_400_000, 0, 10e-3},
		{"the clock is higher than the facts have it", h100, 33_454_080, 3.96e9, 0.5e-6},
		{"a memory that is shared tells no clock", tx1, 255_590_400, 0, 1e-3},
		{"nothing is known", gpu.Facts{}, 1 << 40, 0, 0},
	} {
		if got := floor(c.bytes, &c.facts, c.clock, 0); got < 0.999*c.want || got > 1.001*c.want {
			t.Errorf("%s: %v s, want %v", c.name, got, c.want)
		}
	}
}
