package dynlib

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// library builds a shared library of one function with the C compiler.
func library(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libtwice.so")
	cmd := exec.Command("cc", "-shared", "-fPIC", "-x", "c", "-o", path, "-")
	cmd.Stdin = strings.NewReader("int twice(int n) { return 2 * n; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return path
}

func TestFuncCallsTheLibrary(t *testing.T) {
	l, err := Open("libnone.so.7", library(t))
	if err != nil {
		t.Fatal(err)
	}
	var twice func(int32) int32
	if err := l.Func(&twice, "twice"); err != nil {
		t.Fatal(err)
	}
	if got := twice(21); got != 42 {
		t.Errorf("twice(21) = %d", got)
	}
	if !l.Has("twice") || l.Has("thrice") {
		t.Error("Has is wrong about twice or thrice")
	}
}

func TestBindTakesTheFirstSymbolThereIs(t *testing.T) {
	l, err := Open(library(t))
	if err != nil {
		t.Fatal(err)
	}
	var twice func(int32) int32
	if !l.Bind(&twice, "thrice", "twice") || twice(4) != 8 {
		t.Error("the function is not bound to the second name")
	}
	var address uintptr
	if want, _ := l.Symbol("twice"); !l.Bind(&address, "thrice", "twice") || address != want {
		t.Errorf("address %#x, want %#x", address, want)
	}
	if l.Bind(&address, "thrice") {
		t.Error("bound to a symbol that is not there")
	}
}

func TestMissingSymbolIsAnError(t *testing.T) {
	path := library(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var thrice func(int32) int32
	if err := l.Func(&thrice, "thrice"); err == nil || err.Error() != path+" has no symbol thrice" {
		t.Errorf("error %v", err)
	}
}

func TestOpenSaysWhatIsAbsentAndWhatIsBroken(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "libbroken.so")
	if err := os.WriteFile(broken, []byte("no ELF file"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open("libnone.so.7", broken, "libnone.so.6")
	if err == nil {
		t.Fatal("opened")
	}
	for _, want := range []string{"not found: libnone.so.7, libnone.so.6", broken + ": "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if _, err := Open(); err == nil {
		t.Error("opened nothing")
	}
	real := mounted
	t.Cleanup(func() { mounted = real })
	mounted = func(string) int64 { return unix.ST_NOEXEC }
	if _, err := Open(broken); !errors.Is(err, ErrNoExec) || err.Error() != broken+": "+ErrNoExec.Error() {
		t.Errorf("where no code can be loaded: %v", err)
	}
}
