package diskcache

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// swapsVariable names the environment variable with the number of swaps, such as 10000.
const swapsVariable = "BENCH_TEST_SWAPS"

// TestSwapsInTheCache: while files of the cache are written, used and trimmed as CUB, the
// simulator and C functions have it done, links to another file take the place of any of them,
// at random. That file keeps its content, owner and times.
func TestSwapsInTheCache(t *testing.T) {
	swaps := 4000
	if text := os.Getenv(swapsVariable); text != "" {
		var err error
		if swaps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	above := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", above)
	victim, made := filepath.Join(above, "victim"), filepath.Join(above, "made.so")
	age(t, victim, 40*24*time.Hour)
	before, err := os.Stat(victim)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := Folder("cub")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	// Made somewhere else, on another file system or not.
	elsewhere := made
	if dir, err := os.MkdirTemp("/dev/shm", "bench-cache-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		elsewhere = filepath.Join(dir, "made.so")
	}
	count := 0
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for count < swaps {
			name := []string{"a.so", "b.so", trimmed}[rng.IntN(3)]
			if d, err := root.Open("."); err == nil && rng.IntN(2) == 0 { // or what is being written
				if entries, err := d.ReadDir(-1); err == nil && len(entries) > 0 {
					name = entries[rng.IntN(len(entries))].Name()
				}
				d.Close()
			}
			root.RemoveAll(name)
			if rng.IntN(4) > 0 && root.Symlink(victim, name) == nil {
				count++
			}
		}
	}()
	code := []byte("code")
	written, used := 0, 0
	for n, done := 0, false; !done; n++ {
		select {
		case <-stopped:
			done = true
		default:
		}
		a, b := filepath.Join(folder, "a.so"), filepath.Join(folder, "b.so")
		from := []string{made, elsewhere}[n%2]
		age(t, from, 2*interval)
		if err := Seal(from); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{Put(from, a), PutLibrary(code, b)} {
			if err == nil {
				written++
			} else if !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if UseLibrary(a) {
			used++
		}
		Use(b)
		trim(folder, time.Now().Add(time.Duration(n)*2*interval))
		now, err := os.Stat(victim)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		text, err := os.ReadFile(victim)
		if err != nil || string(text) != "code" || !now.ModTime().Equal(before.ModTime()) || !os.SameFile(before, now) || now.Mode() != before.Mode() {
			t.Fatalf("seed %d: what links led to holds %q, of %v, before %v, %v", seed, text, now.ModTime(), before.ModTime(), err)
		}
	}
	if written < 100 || used == 0 {
		t.Errorf("%d files written, %d used", written, used)
	}
	t.Logf("%d swaps, %d files written, %d used", count, written, used)
}
