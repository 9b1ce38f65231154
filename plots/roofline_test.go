package plots

import (
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// A run with counters of bytes has a roofline over these, each level under its ceiling.
func TestRooflineOfCountedBytes(t *testing.T) {
	s := newSynthetic()
	for i, n := range []int64{64, 1024, 16384} {
		s.add("stockham", n, 0.9, func(r *record.Result) {
			r.Counters = &record.Counters{Source: "libcupti", Values: map[string]float64{
				"dram__bytes_read.sum": float64(r.Work.NominalBytes), "dram__bytes_write.sum": float64(r.Work.NominalBytes) * float64(1+i),
				"lts__t_bytes.sum": 8 * float64(r.Work.NominalBytes)}}
		})
	}
	run := s.run(sizes)
	for i := range run.Info.Devices {
		run.Info.Devices[i].Ceilings.L2 = 9e12
	}
	dir := t.TempDir()
	if _, err := All(run, dir, safefiletest.Hold(t, dir), Screen); err != nil {
		t.Fatal(err)
	}
	got := texts(t, filepath.Join(dir, Folder, "fft_roofline_counted.svg"))
	for _, want := range []string{"fft: roofline of counted bytes", "copy 4.230 TB/s", "L2 9.000 TB/s", "stockham, DRAM", "stockham, L2", "nominal operations per byte that was counted (FLOP/B)"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q; it says:\n%s", want, got)
		}
	}
}
