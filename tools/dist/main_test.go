package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// The order, times and owners of what is packed leave no trace.
func TestArchivesAreTheSame(t *testing.T) {
	files := []file{{"bench", []byte("program"), true}, {"configs/a.json", []byte("{}"), false}, {"LICENSE", []byte("MIT"), false}}
	when := time.Unix(1700000000, 0)
	first, err := (dist{level: gzip.BestCompression}).tarred("bench-1", files, when)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(files)
	second, err := (dist{level: gzip.BestCompression}).tarred("bench-1", files, when.In(time.FixedZone("elsewhere", 3600)))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("packed again: %d and %d bytes, %v", len(first), len(second), err)
	}
	z, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.Uid != 0 || h.Gid != 0 || !h.ModTime.Equal(when) || (h.Mode == 0o755) != (h.Name == "bench-1/bench") {
			t.Errorf("%+v", h)
		}
	}
	if want := []string{"bench-1/LICENSE", "bench-1/bench", "bench-1/configs/a.json"}; !slices.Equal(names, want) {
		t.Errorf("packed %q, want %q", names, want)
	}
}

// A Debian package of the same files in another order is the same, and has files in /usr alone.
func TestDebsAreTheSame(t *testing.T) {
	files := []file{{"bench", []byte("program"), true}, {"systemd/bench-restore.service", []byte("[Unit]"), false}, {"completions/fish/bench.fish", []byte("complete"), false}, {"LICENSE", []byte("MIT"), false}}
	pack := func() []byte {
		path := filepath.Join(t.TempDir(), "bench.deb")
		if err := (dist{version: "v1.0.0", epoch: "1700000000", level: 1}).deb(path, t.TempDir(), "amd64", files, time.Unix(1700000000, 0)); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("dpkg-deb", "--contents", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if name := strings.Fields(line)[5]; name != "./" && !strings.HasPrefix(name, "./usr/") {
				t.Errorf("the package has %s", name)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := pack()
	slices.Reverse(files)
	if second := pack(); !bytes.Equal(first, second) {
		t.Errorf("packed again: %d and %d bytes", len(first), len(second))
	}
}

// A zip file of the same files is the same, and holds them.
func TestZipFilesAreTheSame(t *testing.T) {
	files := []file{{"bench.exe", []byte("program"), true}, {"configs/a.json", []byte("{}"), false}}
	when := time.Unix(1700000000, 0)
	first, err := zipped("bench-1", files, when)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(files)
	second, err := zipped("bench-1", files, when.In(time.FixedZone("elsewhere", 3600)))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("packed again: %d and %d bytes, %v", len(first), len(second), err)
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(r, "bench-1/configs/a.json"); err != nil || string(text) != "{}" || !r.File[0].Modified.Equal(when) {
		t.Errorf("%q at %v, %v", text, r.File[0].Modified, err)
	}
}

func TestLicencesIn(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{"LICENSE", "a.go", "license.go", "third/LICENCE.txt", "THIRD_PARTY_LICENSES/Boost", "licenses/ftl.txt", "testdata/LICENSE", "COPYING", "licensed.txt", "README"} {
		tree[name] = &fstest.MapFile{}
	}
	files, err := licencesIn(tree, true)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	if want := []string{"COPYING", "LICENSE", "THIRD_PARTY_LICENSES/Boost", "licenses/ftl.txt", "third/LICENCE.txt"}; !slices.Equal(names, want) {
		t.Errorf("found %q, want %q", names, want)
	}
}

// Whoever distributes the archive must include the licences of all that is in it.
func TestEveryLinkedModuleHasItsLicence(t *testing.T) {
	for _, on := range []target{linuxAMD64, linuxARM64, {"darwin", "arm64"}, {"windows", "amd64"}} {
		files, err := licences(on)
		if err != nil {
			t.Fatal(err)
		}
		modules := map[string]bool{}
		for _, f := range files {
			module, _, _ := strings.Cut(strings.TrimPrefix(f.name, "licences/"), "@")
			modules[module] = true
			if len(f.text) == 0 {
				t.Errorf("%s is empty", f.name)
			}
		}
		for _, want := range []string{"go", "gonum.org/v1/gonum", "github.com/ebitengine/purego", "codeberg.org/go-fonts/liberation"} {
			if !modules[want] {
				t.Errorf("%v: no licence of %s among %v", on, want, modules)
			}
		}
	}
}

// The list of parts names what is linked, each with the licence that its own text has.
func TestPartsHaveTheirLicences(t *testing.T) {
	var all []file
	for _, on := range []target{linuxAMD64, linuxARM64, {"darwin", "arm64"}, {"windows", "amd64"}} {
		files, err := licences(on)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	text, err := (dist{version: "1.2.0", commit: "abc"}).spdx(parts(all), time.Unix(1700000000, 0))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Packages      []struct{ Name, SPDXID, VersionInfo, LicenseDeclared, LicenseComments string }
		Relationships []struct{ RelatedSpdxElement string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	declared, ids := map[string]string{}, map[string]bool{}
	for _, p := range got.Packages {
		if declared[p.Name] = p.LicenseDeclared; p.VersionInfo == "" || ids[p.SPDXID] || p.LicenseDeclared == "NOASSERTION" && !strings.Contains(p.LicenseComments, ",") {
			t.Errorf("%+v", p)
		}
		ids[p.SPDXID] = true
	}
	for name, want := range map[string]string{"bench": "MIT", "go": "BSD-3-Clause", "github.com/ebitengine/purego": "Apache-2.0", "github.com/gocarina/gocsv": "MIT",
		"github.com/russross/blackfriday/v2": "BSD-2-Clause", "golang.org/x/sys": "BSD-3-Clause", "codeberg.org/go-fonts/liberation": "NOASSERTION"} {
		if declared[name] != want {
			t.Errorf("%s: %q, want %s", name, declared[name], want)
		}
	}
	if len(got.Relationships) != len(got.Packages) {
		t.Errorf("%d relations of %d packages", len(got.Relationships), len(got.Packages))
	}
	unknown := []file{{"licences/a.org/b@v1/LICENSE", []byte("do what you like"), false}}
	if _, err := (dist{}).spdx(parts(unknown), time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "a.org/b has a licence that is not known here") {
		t.Errorf("an unknown licence: %v", err)
	}
}
