package rapl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/test/damage"
	"example.org/bench/test/tree"
)

// FuzzZones: power zones of which one file has any content are refused in a line, or have
// readings from 0 to where their counter begins anew.
func FuzzZones(f *testing.F) {
	root := f.TempDir()
	for line := range strings.Lines(server + "\nintel-rapl-mmio:0 package-0 999 9000000\nintel-rapl:2 psys 4000000 9000000") {
		w := strings.Fields(line)
		for file, text := range map[string]string{"name": w[1], "energy_uj": w[2], "max_energy_range_uj": w[3]} {
			path := filepath.Join(root, folder, w[0], file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				f.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
				f.Fatal(err)
			}
		}
	}
	files := tree.Damage(f, root, folder)
	f.Fuzz(func(t *testing.T, file uint16, text []byte, seed uint64) {
		files.Plant(t, file, text, seed)
		damage.CheckMemory(t, 4<<20+1000*len(text), func() {
			s, err := open(framework.SensorEnv{Root: root}, openFile)
			tree.CheckSensor(t, s, err, 0)
		})
	})
}
