package measure_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/test/published"
)

// shared is a published run whose GPU had other work about ten times a second: whatever the
// kernel, a batch in ten took a millisecond or two more than all others, at the same SM clock. No
// other run has the like.
const shared = "h100-pattern-literature"

// timed reports whether a point has cold and hot times of a GPU: it is no program's, nor at a
// rate.
func timed(row record.Row) bool {
	return row.Processor == framework.GPU && row.Status == record.OK && row.Hot.Get().Median.IsSet()
}

// TestPublishedPointsAreFree: of the GPU points of published runs none is marked, but for a run
// that had a neighbour.
func TestPublishedPointsAreFree(t *testing.T) {
	marked, points := 0, 0
	least := map[bool]int{true: 10, false: 1500} // points with and without a neighbour
	found := map[bool]int{}
	folders, err := published.Folders("../..", record.InfoFile)
	for _, dir := range folders {
		if strings.Contains(dir, "-gates") { // one config, sixty times
			continue
		}
		run, err := record.Read(dir)
		if err != nil {
			continue // of an older form, or a part of another
		}
		if !slices.ContainsFunc(run.Rows, timed) {
			continue
		}
		samples, err := record.ReadSamples(dir, run)
		if err != nil || samples == nil {
			continue
		}
		for i := range run.Rows {
			row := &run.Rows[i]
			if !timed(*row) {
				continue
			}
			series := map[int]map[string]*measure.Series{}
			for s := range samples.Of(row.Point) {
				if series[s.Instance] == nil {
					series[s.Instance] = map[string]*measure.Series{}
				}
				one := &measure.Series{Samples: s.Times, Batch: 1, ClockHz: row.Time.Clock.Float()}
				if s.Mode == string(config.Hot) {
					one.Batch, one.ClockHz = int(row.Hot.Get().Batch.Int()), row.Hot.Get().Clock.Float()
				}
				series[s.Instance][s.Mode] = one
			}
			for _, s := range series {
				points++
				neighbour := strings.Contains(dir, shared)
				found[neighbour]++
				signs := measure.Interrupted(s["cold"], s["hot"], 1)
				if len(signs) == 0 {
					continue
				}
				if marked++; !neighbour {
					t.Errorf("%s, point %d (%s): %q", dir, row.Point, row.Version, signs)
				} else if marked < 4 {
					t.Logf("%s, point %d (%s): %q", dir, row.Point, row.Version, signs)
				}
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d points and their instances, %d of %d with a neighbour marked", points, marked, found[true])
	if found[true] < least[true] || found[false] < least[false] || marked < least[true] {
		t.Errorf("%v points, %d marked: want at least %v, and as many marked as had a neighbour", found, marked, least)
	}
}
