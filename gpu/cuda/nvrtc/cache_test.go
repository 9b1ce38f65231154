package nvrtc

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"example.org/bench/gpu"
)

func TestCacheKeepsImage(t *testing.T) {
	c := cache{folder: filepath.Join(t.TempDir(), "made")}
	if c.load("k") != nil {
		t.Fatal("an empty cache has an image")
	}
	for _, image := range []*Image{
		{Code: []byte("code"), Log: "a warning", Lowered: map[string]string{"f<1>": "_Z1fILi1EEvv"}},
		{Code: []byte("ptx\x00"), PTX: true},
	} {
		c.store("k", image)
		got := c.load("k")
		if got == nil || !got.Cached || got.PTX != image.PTX || got.Log != image.Log || got.Lowered["f<1>"] != image.Lowered["f<1>"] || !bytes.Equal(got.Code, image.Code) {
			t.Errorf("stored %+v, loaded %+v", image, got)
		}
	}
	files, err := os.ReadDir(c.folder)
	if err != nil || len(files) != 1 {
		t.Errorf("%d files, want the entry alone: %v", len(files), err)
	}
}

// An altered or truncated entry must not pass for code.
func TestCacheRefusesCorruption(t *testing.T) {
	c := cache{folder: t.TempDir()}
	c.store("k", &Image{Code: []byte("code"), Log: "log"})
	sound, err := os.ReadFile(c.path("k"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		if err := os.WriteFile(c.path("k"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range sound {
		write(sound[:i])
		if c.load("k") != nil {
			t.Errorf("cut after %d bytes: accepted", i)
		}
		altered := bytes.Clone(sound)
		altered[i] ^= 0x40
		write(altered)
		if c.load("k") != nil {
			t.Errorf("byte %d altered: accepted", i)
		}
	}
	write(sound)
	if c.load("k") == nil {
		t.Error("the sound entry is refused")
	}
}

func TestCacheConcurrentWriters(t *testing.T) {
	c := cache{folder: t.TempDir()}
	code := bytes.Repeat([]byte("code"), 20_000)
	c.store("k", &Image{Code: code})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				c.store("k", &Image{Code: code})
				if got := c.load("k"); got == nil || !bytes.Equal(got.Code, code) {
					t.Error("a reader saw an incomplete entry")
				}
			}
		})
	}
	group.Wait()
}

func TestCompileCachesAndRecovers(t *testing.T) {
	c := open(t)
	first := compile(t, c, scale, "sm_53")
	if first.Cached {
		t.Fatal("the first compilation came from an empty cache")
	}
	second := compile(t, c, scale, "sm_53")
	if !second.Cached || !bytes.Equal(first.Code, second.Code) {
		t.Fatalf("cached %v, or code differs", second.Cached)
	}
	files, err := filepath.Glob(filepath.Join(c.cache.folder, "[0-9a-f]*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v: %v", files, err)
	}
	if err := os.Truncate(files[0], 50); err != nil {
		t.Fatal(err)
	}
	if third := compile(t, c, scale, "sm_53"); third.Cached || !bytes.Equal(first.Code, third.Code) {
		t.Errorf("after corruption: cached %v, or code differs", third.Cached)
	}
	if fourth := compile(t, c, scale, "sm_53"); !fourth.Cached {
		t.Error("the corrupted entry was not replaced")
	}
}

func TestCompileWithoutCacheFolder(t *testing.T) {
	c := open(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", filepath.Join(blocked, "kernels")} {
		c.cache = cache{folder: folder}
		for range 2 {
			if image := compile(t, c, scale, "sm_53"); image.Cached {
				t.Errorf("folder %q: cached", folder)
			}
		}
	}
}

// Whatever changes the code changes the key.
func TestKeyCoversAllInputs(t *testing.T) {
	options := []string{"--gpu-architecture=sm_53"}
	with := func(change func(*gpu.Source)) gpu.Source { s := scale; change(&s); return s }
	keys := map[string]string{}
	add := func(what, key string) {
		if other, taken := keys[key]; taken {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[key] = what
	}
	add("base", keyOf(scale, options, 11, 8))
	add("name", keyOf(with(func(s *gpu.Source) { s.Name = "x.cu" }), options, 11, 8))
	add("text", keyOf(with(func(s *gpu.Source) { s.Text += " " }), options, 11, 8))
	add("header", keyOf(with(func(s *gpu.Source) { s.Headers = map[string]string{"factor.h": ""} }), options, 11, 8))
	add("byte 0xff", keyOf(with(func(s *gpu.Source) { s.Text += "\xff" }), options, 11, 8))
	add("byte 0xfe", keyOf(with(func(s *gpu.Source) { s.Text += "\xfe" }), options, 11, 8))
	add("options", keyOf(scale, append(options, "-x"), 11, 8))
	add("joined options", keyOf(scale, []string{options[0] + " -x"}, 11, 8))
	add("arch", keyOf(scale, []string{"--gpu-architecture=sm_62"}, 11, 8))
	add("version", keyOf(scale, options, 12, 8))
	for range 20 { // maps are walked in random order
		src := with(func(s *gpu.Source) { s.Headers = map[string]string{"a": "1", "b": "2", "c": "3"} })
		if first := keyOf(src, options, 11, 8); first != keyOf(src, options, 11, 8) {
			t.Fatal("the key of one source varies")
		}
	}
}
