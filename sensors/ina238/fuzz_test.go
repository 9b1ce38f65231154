package ina238

import (
	"testing"

	"bench/framework/machine"
	"bench/test/damage"
	"bench/test/tree"
)

// FuzzTree: a board of which one file has any content is refused in a line, or reads watts from 0.
func FuzzTree(f *testing.F) {
	files := tree.Damage(f, tree.Unpack(f, thor), ".")
	f.Fuzz(func(t *testing.T, file uint16, text []byte, seed uint64) {
		files.Plant(t, file, text, seed)
		damage.CheckMemory(t, 4<<20+1000*len(text), func() {
			s, err := open(machine.Tree(files.Root), false, false)
			tree.CheckSensor(t, s, err, 0)
		})
	})
}
