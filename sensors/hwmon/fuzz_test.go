package hwmon

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/rails"
	"example.org/bench/test/damage"
	"example.org/bench/test/tree"
)

// FuzzTree: a machine of which one file has any content is refused in a line, or reads watts from 0.
func FuzzTree(f *testing.F) {
	files := tree.Damage(f, tree.Write(f, grace()), ".")
	f.Fuzz(func(t *testing.T, file uint16, text []byte, seed uint64) {
		files.Plant(t, file, text, seed)
		damage.CheckMemory(t, 4<<20+1000*len(text), func() {
			s, err := open(framework.SensorEnv{Root: files.Root}, rails.Open)
			if err != nil {
				damage.CheckError(t, err)
				return
			}
			tree.CheckSensor(t, s, nil, 0)
		})
	})
}
