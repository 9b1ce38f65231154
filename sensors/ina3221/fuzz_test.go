package ina3221

import (
	"math"
	"testing"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
	"example.org/bench/test/damage"
	"example.org/bench/test/tree"
)

// fuzzBoard: a board of which one file has any content is refused in a line, or has rails whose
// watts, calibration and times are numbers.
func fuzzBoard(f *testing.F, name string) {
	files := tree.Damage(f, tree.Unpack(f, "testdata/"+name+".txtar"), ".")
	f.Fuzz(func(t *testing.T, file uint16, text []byte, seed uint64) {
		files.Plant(t, file, text, seed)
		damage.CheckMemory(t, 8<<20+1000*len(text), func() {
			s, err := open(machine.Tree(files.Root), rails.Open)
			if err == nil {
				for i, r := range s.rails {
					c := r.calibration
					if x := c.Gain + c.Offset; !(x >= 0) || math.IsInf(x, 0) {
						t.Errorf("%s: calibration %+v", r.name, c)
					}
					if x := s.ChannelAveraging(i); !(x >= -1 && x < 1000) || !(s.ChannelUpdates(i) > 0 && s.ChannelUpdates(i) < 1000) {
						t.Errorf("%s: averages over %v s, is new after %v s", r.name, x, s.ChannelUpdates(i))
					}
				}
				s.leaveOutCarriers()
				tree.CheckSensor(t, s, nil, math.Inf(-1))
				return
			}
			damage.CheckError(t, err)
		})
	})
}

// FuzzLinux has Linux's driver, FuzzNVIDIA that of NVIDIA.
func FuzzLinux(f *testing.F)  { fuzzBoard(f, "jetson-orin-l4t36") }
func FuzzNVIDIA(f *testing.F) { fuzzBoard(f, "jetson-tx2-l4t28") }
