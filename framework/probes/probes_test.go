package probes

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

type sensor struct {
	framework.Sensor
	identity string
}

func (s sensor) Identity() string { return s.identity }

// TestProbeIsRemembered for the same hardware and driver alone, and a file that is
// damaged is none.
func TestProbeIsRemembered(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	want := Probe{Identity: "GPU, driver 1", Channels: map[string]measure.Seen{"power": {Period: 0.1, Window: 0.025, Explained: 0.99}}}
	if err := Save(want); err != nil {
		t.Fatal(err)
	}
	got, ok := Of(sensor{identity: "GPU, driver 1"})
	if !ok || got.Channels["power"] != want.Channels["power"] {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, other := range []string{"GPU, driver 2", ""} {
		if _, ok := Of(sensor{identity: other}); ok {
			t.Errorf("a probe of %q", other)
		}
	}
	if _, ok := Of(struct{ framework.Sensor }{}); ok {
		t.Error("a probe of a sensor without identity")
	}
	files, _ := filepath.Glob(filepath.Join(cache, "bench/sensors/*.json"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := Of(sensor{identity: "GPU, driver 1"}); ok {
		t.Error("a probe from a damaged file")
	}
}
