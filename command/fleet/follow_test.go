package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile/safefiletest"
)

// files writes files below a folder.
func files(t *testing.T, list map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range list {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFollowSendsWholeLines from the offsets on, and receive puts them together.
func TestFollowSendsWholeLines(t *testing.T) {
	long := strings.Repeat("x", maxFrame+10) + "\n"
	dir := files(t, map[string]string{jobFile: `{"name": "orin1", "runs": [{"prefix": "a"}, {"prefix": "b"}, {"prefix": "none"}]}`, stateFile: `{"phase": "done", "status": 3}`,
		"results/a/journal.jsonl": "one\ntwo\nthr", "results/b/journal.jsonl": long + "end\n"})
	var out bytes.Buffer
	if err := Follow(context.Background(), dir, map[string]int64{"a": 4}, true, &out); err != nil {
		t.Fatal(err)
	}
	whole := out.Bytes()
	got := map[string]string{}
	take := func(run string, from int64, text []byte) error {
		if want := int64(len(got[run])) + map[string]int64{"a": 4}[run]; from != want {
			t.Errorf("%s from %d, want %d", run, from, want)
		}
		got[run] += string(text)
		return nil
	}
	state, err := receive(bytes.NewReader(append([]byte("Welcome!\n"), whole...)), take, func(State) {})
	if err != nil || state != (State{Phase: Done, Status: 3}) || !maps.Equal(got, map[string]string{"a": "two\n", "b": long + "end\n"}) {
		t.Errorf("%+v, %v, %d runs", state, err, len(got))
	}
	// Cut off anywhere but at the end it is not taken for the end.
	for _, n := range []int{0, 1, 10, 40, len(whole) - 1} {
		clear(got)
		if _, err := receive(bytes.NewReader(whole[:n]), take, func(State) {}); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut off at %d of %d: %v", n, len(whole), err)
		}
	}
}

// endless is text without an end.
type endless struct{ line string }

func (e endless) Read(b []byte) (int, error) {
	n := 0
	for n+len(e.line) <= len(b) {
		n += copy(b[n:], e.line)
	}
	return n, nil
}

// TestEndlessGreeting: a board that says anything but what bench says is not listened to for ever.
func TestEndlessGreeting(t *testing.T) {
	_, err := receive(endless{"y\n"}, nil, nil)
	if want := "the board sends other text than bench does, more than 1 MiB of it"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFilesOfConfig: what the config names and includes, and nothing from outside.
func TestFilesOfConfig(t *testing.T) {
	dir := files(t, map[string]string{"outside.h": "", "c/run.json": `{"cuda": {"source": "k/a.cu"}, "verify": {"command": "python3 check.py --fast"}, "note": "../outside.h", "x": 3}`,
		"c/k/a.cu": "#include \"b.cuh\"\n  #  include \"../d.h\"\n#include \"../../outside.h\"\n#include <math.h>\n", "c/k/b.cuh": "#include \"a.cu\"\n", "c/d.h": "", "c/check.py": "", "c/other.py": ""})
	list, err := filesOf(filepath.Join(dir, "c/run.json"))
	if got := slices.Sorted(maps.Keys(list)); err != nil || !slices.Equal(got, []string{"check.py", "d.h", "k/a.cu", "k/b.cuh", "run.json"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestUnpackStaysInside: no name of an archive leads out of the folder.
func TestUnpackStaysInside(t *testing.T) {
	for _, name := range []string{"../out", "/tmp/../../out", "a/../../out"} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		w.Close()
		dir := filepath.Join(t.TempDir(), "in")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := unpack(&b, safefiletest.Hold(t, dir)); err == nil {
			t.Errorf("%s is unpacked", name)
		}
		if _, err := os.Stat(filepath.Join(dir, "../out")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnpackedIsWhoseTheFolderIs: what root fetches into the folder of the user who called sudo
// is that user's, and a file or link that was planted there is not written to.
func TestUnpackedIsWhoseTheFolderIs(t *testing.T) {
	archive := func() *bytes.Buffer {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range []tar.Header{{Name: "results/", Typeflag: tar.TypeDir, Mode: 0o755}, {Name: "results/s/run.json", Mode: 0o644, Size: 3}, {Name: "log", Mode: 0o644}} {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			w.Write([]byte("abc")[:h.Size])
		}
		w.Close()
		return &b
	}
	dir := t.TempDir()
	to := safefiletest.Hold(t, filepath.Join(dir, "to"))
	user := os.Geteuid()
	if user == 0 {
		user = 54321
		t.Setenv("SUDO_UID", "54321")
		t.Setenv("SUDO_GID", "54321")
		if err := os.Chown(to.String(), user, user); err != nil {
			t.Fatal(err)
		}
	}
	if err := unpack(archive(), to); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"results", "results/s", "results/s/run.json", "log"} {
		info, err := os.Stat(to.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if owner, _, _, _ := linux.Owner(info); owner != user {
			t.Errorf("%s is user %d's, want %d", name, owner, user)
		}
	}
	if text, err := os.ReadFile(to.Path("results/s/run.json")); err != nil || string(text) != "abc" {
		t.Errorf("%q, %v", text, err)
	}
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	for what, plant := range map[string]func(string, string) error{"a link": os.Symlink, "a second name": os.Link} {
		to := safefiletest.Hold(t, filepath.Join(dir, what))
		if err := plant(victim, to.Path("log")); err != nil {
			t.Fatal(err)
		}
		err := unpack(archive(), to)
		if text, failed := os.ReadFile(victim); err == nil || failed != nil || string(text) != "precious" {
			t.Errorf("%s: %v, and it holds %q, %v", what, err, text, failed)
		}
	}
}

func TestHostNames(t *testing.T) {
	for _, good := range []string{"orin1", "user@10.0.0.7", "tx2.lab", "fe80::1%eth0"} {
		if err := CheckHost(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a/b"} {
		if CheckHost(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if got := quote("a'b c"); got != `'a'\''b c'` {
		t.Error(got)
	}
}

// TestProgramFor: which file is taken for a processor.
func TestProgramFor(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here, err := architectureOf(self)
	if err != nil {
		t.Fatal(err)
	}
	if _, from, err := program(here, []string{self}); err != nil || from != self {
		t.Errorf("%s, %v", from, err)
	}
	if _, from, err := program(here, nil); err != nil || from != "this program" {
		t.Errorf("%s, %v", from, err)
	}
	other := map[string]string{"amd64": "arm64", "arm64": "amd64"}[here]
	if _, _, err := program(other, []string{self}); err == nil || !strings.Contains(err.Error(), "make dist") {
		t.Errorf("%v", err)
	}
	if _, _, err := program(other, []string{"follow_test.go"}); err == nil || !strings.Contains(err.Error(), "is not a program") {
		t.Errorf("%v", err)
	}
}
