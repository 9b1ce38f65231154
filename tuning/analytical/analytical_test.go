package analytical

import (
	"example.org/bench/gpu/cuda/occupancy"
	"fmt"
	"testing"
)

func tx1(t *testing.T) *Device {
	t.Helper()
	d, err := FindDevice("jetson-tx1")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLiteratureTables compares the model with Fig. 3 (b), (c) and (d) of
// "Performance Tuning for GPU-Embedded Systems" (GM20B), row for row over
// every size that the paper uses.
func TestLiteratureTables(t *testing.T) {
	type row struct{ s, p, l int }
	rows := map[string]func(n int) row{}
	for _, v := range []string{"cr", "pcr", "lf"} {
		rows["tridiagonal "+v] = func(n int) row {
			switch {
			case n <= 64:
				return row{0, 2, 64}
			case n == 128:
				return row{0, 4, 64}
			}
			return row{n, 2, n / 2}
		}
	}
	rows["tridiagonal wm"] = func(n int) row {
		if n <= 128 {
			return row{0, 4, 64}
		}
		return row{n, 4, n / 4}
	}
	for _, v := range []string{"lf", "ks"} {
		rows["scan "+v] = func(n int) row {
			if n <= 256 {
				return row{8192 / n, 4, 64}
			}
			return row{32, 4, n / 4}
		}
	}
	rows["fft stockham"] = func(n int) row {
		if n <= 256 {
			return row{256, 4, 64}
		}
		return row{n, 4, n / 4}
	}
	most := map[string]int{"tridiagonal": 1024, "scan": 4096, "fft": 4096}
	f := tx1(t).Facts
	for name, want := range rows {
		var algorithm, version string
		fmt.Sscan(name, &algorithm, &version)
		for n := 64; n <= most[algorithm]; n *= 2 {
			s, ok := SettingOf(f, algorithm, version, n)
			if got := (row{s.S, s.P, s.L}); !ok || got != want(n) {
				t.Errorf("%s N = %d: %v, published %v (%+v)", name, n, got, want(n), s.Occupancy)
			}
			if s.Shuffle != (algorithm == "tridiagonal" && s.S == 0) {
				t.Errorf("%s N = %d: shuffle %v with S = %d", name, n, s.Shuffle, s.S)
			}
		}
	}
}

// TestLiteratureStatements are what the text says of single choices.
func TestLiteratureStatements(t *testing.T) {
	f := tx1(t).Facts
	for _, x := range []struct {
		algorithm, version string
		n, blocks          int
		share              float64
		where              string
	}{
		{"tridiagonal", "cr", 64, 32, 1, "V-A: both at their maximum"},
		{"tridiagonal", "cr", 128, 20, 0.625, "V-A: 63 % and 20 blocks"},
		{"tridiagonal", "wm", 128, 24, 0.75, "V-A: 75 % and 24 blocks"},
		{"fft", "stockham", 256, 24, 0.75, "V-C: 75 %"},
		{"scan", "lf", 256, 32, 1, "V-B: both at their maximum"},
	} {
		s, _ := SettingOf(f, x.algorithm, x.version, x.n)
		if s.Occupancy.Blocks != x.blocks || s.Occupancy.Share != x.share {
			t.Errorf("%s %s N = %d: %d blocks, %g; the literature says %s", x.algorithm, x.version, x.n, s.Occupancy.Blocks, s.Occupancy.Share, x.where)
		}
	}
	// V-D: radix 8, 2048 elements, 75 % of the warps; three kernels from 524288 on.
	for n := 8192; n <= 8388608; n *= 2 {
		kernels := 2
		if n >= 524288 {
			kernels = 3
		}
		for _, version := range []string{"stockham", "multi"} {
			s, ok := SettingOf(f, "fft", version, n)
			if !ok || s.S != 2048 || s.P != 8 || s.Radix != 8 || s.Occupancy.Share != 0.75 || s.Kernels != kernels {
				t.Errorf("%s at N = %d: %+v, want %d kernels", version, n, s, kernels)
			}
		}
	}
	if s, ok := SettingOf(f, "fft", "multi", 4096); ok {
		t.Errorf("multi at N = 4096, which fits a block: %+v", s)
	}
}

// TestOccupancyTable is Fig. 3 (a). Its fourth row cannot be: 40 registers and
// 2560 bytes allow 24 blocks, as in its second row. With the 3072 bytes that
// section V-A names as the limit and 48 registers it is what is printed.
func TestOccupancyTable(t *testing.T) {
	published := []struct{ warps, registers, shared, percent, blocks int }{
		{1, 64, 2048, 50, 32}, {2, 40, 0, 75, 24}, {2, 32, 2048, 100, 32}, {2, 40, 2560, 63, 20}, {4, 32, 4096, 100, 16},
		{4, 40, 5120, 75, 12}, {8, 32, 8192, 100, 8}, {8, 40, 10240, 75, 6}, {16, 32, 16384, 100, 4}, {32, 32, 32768, 100, 2},
	}
	rows := OccupancyTable(tx1(t).Facts)
	printed := rows[3]
	if printed.Registers != 40 || printed.SharedBytes != 2560 || printed.Occupancy.Blocks != 24 || printed.Occupancy.Share != 0.75 {
		t.Errorf("the fourth row as printed: %+v", printed)
	}
	rows = append(rows[:3:3], rows[4:]...)
	if len(rows) != len(published) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, x := range published {
		r := rows[i]
		if i != 3 && (r.Registers != x.registers || r.SharedBytes != x.shared) {
			t.Errorf("row %d: %+v, published %+v", i+1, r, x)
		}
		if r.Warps != x.warps || r.Occupancy.Blocks != x.blocks || int(r.Occupancy.Share*100+0.5) != x.percent {
			t.Errorf("row %d: %+v, published %+v", i+1, r, x)
		}
	}
}

func TestOccupancyLimits(t *testing.T) {
	f := tx1(t).Facts
	for want, o := range map[string]occupancy.Occupancy{
		"threads":       occupancy.Of(f, 1024, 16, 0),
		"blocks":        occupancy.Of(f, 32, 16, 0),
		"registers":     occupancy.Of(f, 256, 128, 0),
		"shared memory": occupancy.Of(f, 64, 16, 48<<10),
	} {
		if o.Limit != want || o.Blocks == 0 {
			t.Errorf("limit %q with %d blocks, want %q", o.Limit, o.Blocks, want)
		}
	}
	for _, o := range []occupancy.Occupancy{occupancy.Of(f, 1024, 40, 0), occupancy.Of(f, 2048, 16, 0), occupancy.Of(f, 64, 16, 48<<10+1), occupancy.Of(f, 0, 16, 0)} {
		if o.Blocks != 0 || o.Share != 0 {
			t.Errorf("%+v, want no block", o)
		}
	}
	h200, _ := FindDevice("h200")
	if o := occupancy.Of(h200.Facts, 128, 32, 100<<10); o.Blocks != 2 || o.Limit != "shared memory" {
		t.Errorf("H200: %+v", o) // 228 KiB for 100 + 1 each
	}
}

func TestDevicesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Devices() {
		f := d.Facts
		if seen[d.ID] || d.Facts.Integrated != (d.SoC != "") || d.Source == "" || f.Name == "" || f.WarpSize != 32 || f.MaxThreadsPerSM%f.WarpSize != 0 || f.SharedOptIn < f.SharedPerBlock ||
			f.RegistersBlock < 32768 || f.Multiprocessors < 1 || f.MaxBlocksPerSM < 16 || f.SharedPerSM < f.SharedOptIn+f.SharedReserved {
			t.Errorf("%+v", d)
		}
		seen[d.ID] = true
		for name := range prefixModels {
			var algorithm, version string
			fmt.Sscan(name, &algorithm, &version)
			size := 256
			if version == "multi" {
				size = 8192
			}
			if _, ok := SettingOf(f, algorithm, version, size); !ok {
				t.Errorf("%s: nothing chosen for %s", d.ID, name)
			}
		}
	}
	if _, err := FindDevice("jetson-tx9"); err == nil {
		t.Error("a device that is not described was found")
	}
}
