package main

import (
	"compress/gzip"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/test/everyboard"
)

func TestDebianVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.0": "1.2.0", "1.2.0": "1.2.0", "v1.2.0-14-gd51922a-dirty": "1.2.0.14.gd51922a.dirty",
		"d51922a": "0~git7.d51922a", "1518dab": "0~git7.1518dab", "unversioned": "0~git7.unversioned",
	} {
		if got := debianVersion(version, "7"); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// install unpacks and registers a package in a new root, as dpkg does on a board,
// and returns the root.
func install(t *testing.T, deb string) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	// The root is empty: its C library is the emulator's or this machine's.
	dpkg := exec.Command("dpkg", "--root="+root, "--force-architecture,depends,not-root,bad-path", "--log=/dev/null", "-i", deb)
	if out, err := dpkg.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", dpkg, err, out)
	}
	return root
}

// A package installs in a clean root, and the program there finds the configs that came
// with it and measures on the CPU. Where every board is wanted, that for arm64 does so under
// an emulator.
func TestInstalledPackage(t *testing.T) {
	emulators, targets := map[string][]string{runtime.GOARCH: nil}, []target{{"linux", runtime.GOARCH}}
	if everyboard.Wanted() && runtime.GOARCH != "arm64" {
		qemu, libraries := os.Getenv("BENCH_QEMU_ARM64"), os.Getenv("BENCH_ARM64_ROOT")
		if qemu == "" || libraries == "" {
			t.Skip("needs BENCH_QEMU_ARM64 and BENCH_ARM64_ROOT: run tools/fetch-test-env arm64 and source .cache/env.sh")
		}
		emulators["arm64"], targets = []string{qemu, "-L", libraries}, append(targets, linuxARM64)
	}
	cache, err := os.UserCacheDir() // of compiled code: this user's
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	t.Chdir("../..")
	if err := (dist{version: "v0.0.1-test", commit: "none", epoch: "1700000000", level: gzip.BestSpeed}).make(out, targets...); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for arch, emulator := range emulators {
		t.Run(arch, func(t *testing.T) {
			deb := filepath.Join(out, "bench-v0.0.1-test-linux-"+arch+".deb")
			if !strings.Contains(string(sums), filepath.Base(deb)) {
				t.Errorf("SHA256SUMS lacks it:\n%s", sums)
			}
			root := install(t, deb)
			for _, name := range []string{"usr/share/man/man1/bench-run.1", "usr/share/bash-completion/completions/bench", "usr/lib/systemd/system/bench-restore.service",
				"usr/share/doc/bench/copyright", "usr/share/bench/configs/fft.json"} {
				if i, err := os.Stat(filepath.Join(root, name)); err != nil || i.Mode().Perm() != 0o644 {
					t.Errorf("%s: %v", name, err)
				}
			}
			if unit, _ := os.ReadFile(filepath.Join(root, "usr/lib/systemd/system/bench-restore.service")); !strings.Contains(string(unit), "ExecStart=/usr/bin/bench ") {
				t.Errorf("the unit starts another program:\n%s", unit)
			}
			home := t.TempDir()
			bench := func(args ...string) string {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				words := slices.Concat(emulator, []string{filepath.Join(root, "usr/bin/bench")}, args)
				cmd := exec.CommandContext(ctx, words[0], words[1:]...)
				cmd.Dir = home
				cmd.Env = []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache, "PATH=/usr/bin:/bin", "BENCH_WORKER_PREFIX=" + strings.Join(emulator, " ")}
				if emulator != nil {
					cmd.Env = append(cmd.Env, "BENCH_PLOTS=none") // drawing takes long there
				}
				text, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %v\n%s", cmd, err, text)
				}
				return string(text)
			}
			if text := bench("doctor"); !strings.HasPrefix(text, "measures times on the CPU") {
				t.Errorf("doctor shows\n%s", text)
			}
			bench("run", "fft-small.json", "--processor", "CPU", "--versions", "reference", "--out", "results")
			if files, _ := filepath.Glob(filepath.Join(home, "results/*_time.csv")); len(files) != 1 {
				t.Errorf("the run wrote %v", files)
			}
		})
	}
}
