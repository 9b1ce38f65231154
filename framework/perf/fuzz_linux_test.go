package perf

import (
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzUnit: files of a unit of counters with any content are refused in a line, or say bits and
// bytes of one count.
func FuzzUnit(f *testing.F) {
	f.Add("8\n", "event=0x04,umask=0x03", "config:0-7", "6.103515625e-5", "MiB", "0")
	f.Add("4294967296", "event", "config:8-3", "x", "B", "0-65535,0-65535")
	f.Add("", "=", "config1:0", "1", "GiB", "")
	f.Add("8", "umask=0xffffffffffffffff", "config:0-63", "NaN", "Bytes", "1")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, kind, terms, format, scale, unit, cpus string) {
		for name, text := range map[string]string{"type": kind, "format/event": format, "format/umask": format, "events/x.scale": scale, "events/x.unit": unit, "cpumask": cpus} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		damage.CheckMemory(t, 8<<20+100*(len(terms)+len(format)+len(cpus)), func() {
			_, err := controllerOf(dir, "x", terms)
			damage.CheckError(t, err)
			if x, err := placed(0, 1, format); err == nil && bits.OnesCount64(x) != 1 {
				t.Errorf("%q puts a bit into %#x", format, x)
			}
		})
	})
}
