package trees

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/command/inspect"
	"example.org/bench/internal/terminal"
	"example.org/bench/test/tree"
)

var update = flag.Bool("update", false, "pack the trees that come with the program anew")

// TestTX2 holds that what comes with the program is a bundle of the tests' files of that board.
func TestTX2(t *testing.T) {
	root := t.TempDir()
	for _, archive := range []string{"../../framework/machine/testdata/jetson-tx2-l4t32.txtar", "../../framework/powermode/testdata/jetson-tx2-l4t32.txtar",
		"../../sensors/ina3221/testdata/jetson-tx2-l4t32.txtar", "testdata/jetson-tx2.txtar"} {
		from := tree.Unpack(t, archive)
		if out, err := exec.Command("cp", "-a", from+"/.", root).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	bundle := inspect.Collect(root)
	if *update {
		var b bytes.Buffer
		if _, err := bundle.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("jetson-tx2.tar.gz", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		jetsonTX2 = b.Bytes()
	}
	folder, err := Open("jetson-tx2")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range bundle.Files {
		if text, err := os.ReadFile(filepath.Join(folder, f.Name)); err != nil || !bytes.Equal(text, f.Text) {
			t.Errorf("%s: %v, %d bytes, want %d: -update packs it anew", f.Name, err, len(text), len(f.Text))
		}
	}
	shown := filepath.Join(t.TempDir(), "shown")
	to, err := os.Create(shown)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(terminal.NewPrinter(to, nil), "below %s/sys\n", folder)
	to.Close()
	if text, _ := os.ReadFile(shown); string(text) != "below jetson-tx2/sys\n" {
		t.Errorf("the folder is printed as %q", text)
	}
	if len(bundle.Files) < 100 {
		t.Errorf("%d files", len(bundle.Files))
	}
	if Remove(); exists(folder) {
		t.Errorf("%s is left", folder)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// packed is a bundle of these entries.
func packed(t *testing.T, entries ...tar.Header) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bad.tar.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for _, e := range entries {
		if err := w.WriteHeader(&e); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return file
}

// TestOpen: folders stay what they are; what is no bundle is refused, and nothing of it is left.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	if got, err := Open(dir); got != dir || err != nil {
		t.Errorf("a folder is %s, %v", got, err)
	}
	text := filepath.Join(dir, "text.tar.gz")
	if err := os.WriteFile(text, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]string{
		"jetson-tx1":      "the folder jetson-tx1 does not exist; jetson-tx2 comes with the program",
		"/nowhere/at/all": "does not exist",
		text:              "is no bundle of bench doctor",
		packed(t):         "it is empty",
		packed(t, tar.Header{Name: "../out", Typeflag: tar.TypeReg}):                    "is no file below its root",
		packed(t, tar.Header{Name: "etc", Linkname: "/etc", Typeflag: tar.TypeSymlink}): "is no file below its root",
	} {
		if _, err := Open(root); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", root, err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "bench-tree-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := os.Mkdir("jetson-tx2", 0o777); err != nil {
		t.Fatal(err)
	}
	if got, err := Open("jetson-tx2"); got != "jetson-tx2" || err != nil {
		t.Errorf("one's own folder is %s, %v", got, err)
	}
	if !slices.Contains(strings.Fields(Usage), tx2+",") {
		t.Errorf("the usage does not name %s", tx2)
	}
}
