package diskcache

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/trust"
)

// age writes a file that was used so long ago.
func age(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("code"), 0o666); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-ago)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestUnusedIsRemoved(t *testing.T) {
	const day = 24 * time.Hour
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder, err := Folder("kernels")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "bench", "kernels"); folder != want {
		t.Errorf("folder %s, want %s", folder, want)
	}
	age(t, filepath.Join(folder, "new"), time.Hour)
	age(t, filepath.Join(folder, "old"), 29*day)
	age(t, filepath.Join(folder, "unused"), 31*day)
	age(t, filepath.Join(folder, "used"), 31*day)
	age(t, filepath.Join(folder, "recent"), 2*day)
	age(t, filepath.Join(folder, "compile-1", "left"), time.Hour)
	then := time.Now().Add(-40 * day)
	if err := os.Chtimes(filepath.Join(folder, "compile-1"), then, then); err != nil {
		t.Fatal(err)
	}
	if !Use(filepath.Join(folder, "used")) || Use(filepath.Join(folder, "absent")) {
		t.Error("Use does not report what is there")
	}
	Use(filepath.Join(folder, "recent"))
	if info, err := os.Stat(filepath.Join(folder, "recent")); err != nil || time.Since(info.ModTime()) > day {
		t.Errorf("%v, %v: a use is not noted", info.ModTime(), err)
	}
	if _, err := Folder("kernels"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, folder), "compile-1 new old recent trimmed unused used"; got != want {
		t.Errorf("within a day: %s, want %s", got, want)
	}
	age(t, filepath.Join(folder, trimmed), 25*time.Hour)
	if _, err := Folder("kernels"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, folder), "new old recent trimmed used"; got != want {
		t.Errorf("a day later: %s, want %s", got, want)
	}
}

func TestNoFolder(t *testing.T) {
	// Nobody makes a folder there, nor below /proc/self; but the latter is another
	// user's once a thread of the tests has been one.
	t.Setenv("XDG_CACHE_HOME", "/proc/none")
	if _, err := Folder("kernels"); err == nil || !strings.Contains(err.Error(), "/proc/none") {
		t.Errorf("error %v: want one that names the folder", err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	roots := t.TempDir()
	if _, err := folderOf(stranger, roots, "kernels"); err == nil || !strings.Contains(err.Error(), "set HOME or XDG_CACHE_HOME") {
		t.Errorf("error %v: want one that says what to set", err)
	}
	if got, err := folderOf(trust.User{}, roots, "kernels"); os.Geteuid() == 0 && (err != nil || got != filepath.Join(roots, "kernels")) {
		t.Errorf("root without a home: %s, %v", got, err)
	}
}

// stranger is neither root nor the user who runs the tests.
var stranger = trust.User{UID: 54321, GID: 54321}

// What others can write may hold their code.
func TestFolderOfOthersIsRefused(t *testing.T) {
	home := t.TempDir()
	if err := os.Chmod(home, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", home)
	me := trust.Self()
	roots := t.TempDir()
	got, err := folderOf(me, roots, "kernels")
	switch {
	case !me.IsRoot() && (err == nil || !strings.Contains(err.Error(), home+" is not trusted: others can write to it")):
		t.Errorf("an ordinary user's: %s, %v", got, err)
	case me.IsRoot() && (err != nil || got != filepath.Join(roots, "kernels")):
		t.Errorf("root's: %s, %v, want the one below %s", got, err, roots)
	}
	if got, err := folderOf(stranger, roots, "kernels"); !errors.Is(err, trust.ErrUntrusted) {
		t.Errorf("another ordinary user's: %s, %v", got, err)
	}
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	kernel := filepath.Join(home, "kernel.so")
	age(t, kernel, time.Hour)
	if !useOf(me, kernel) {
		t.Error("one's own file is not used")
	}
	if useOf(stranger, kernel) != me.IsRoot() {
		t.Error("another user's file is used, or root's is not")
	}
	if err := os.Symlink(kernel, kernel+".link"); err != nil {
		t.Fatal(err)
	}
	if useOf(me, kernel+".link") {
		t.Error("a link is used")
	}
	if !me.IsRoot() {
		return
	}
	if err := os.Chown(kernel, stranger.UID, -1); err != nil {
		t.Fatal(err)
	}
	if useOf(me, kernel) {
		t.Error("root uses a stranger's file")
	}
}

// The error about a cache that root made in a user's home has the command that
// corrects it.
func TestFolderOfRootInAHome(t *testing.T) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	roots := filepath.Join(home, "bench")
	for folder, mode := range map[string]os.FileMode{home: 0o755, roots: 0o500} {
		if err := os.MkdirAll(folder, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_CACHE_HOME", home)
	for _, name := range []string{"kernels", ""} {
		err := asStranger(t, func(user trust.User) error {
			_, err := folderOf(user, "", name)
			return err
		})
		if want := "sudo chown -R $USER " + roots; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// asStranger calls f as another user where root runs the tests. The thread, which
// alone has that user, ends with it.
func asStranger(t *testing.T, f func(trust.User) error) error {
	t.Helper()
	if os.Geteuid() != 0 {
		return f(trust.Self())
	}
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(stranger.UID), uintptr(stranger.UID), uintptr(stranger.UID)); e != 0 {
			result <- e
			return
		}
		result <- f(stranger)
	}()
	return <-result
}

// A library that was damaged in the cache is not used; a whole one is loaded with its seal.
func TestDamagedLibraryIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libtwice.so")
	cc := exec.Command("cc", "-shared", "-fPIC", "-x", "c", "-o", path, "-")
	cc.Stdin = strings.NewReader("int twice(int n) { return 2 * n; }\n")
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if UseLibrary(path) {
		t.Error("a library without a seal is used")
	}
	if err := Seal(path); err != nil {
		t.Fatal(err)
	}
	var twice func(int32) int32
	if lib, err := dynlib.Open(path); err != nil || lib.Func(&twice, "twice") != nil || twice(4) != 8 {
		t.Errorf("a sealed library: %v", err)
	}
	if !UseLibrary(path) {
		t.Error("a whole library is not used")
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(path), "other.so")
	for _, at := range []int{0, len(whole) / 2, len(whole) - 40, len(whole) - 1} {
		for what, text := range map[string][]byte{
			"a wrong bit":  slices.Concat(whole[:at], []byte{whole[at] ^ 1}, whole[at+1:]),
			"a lost byte":  slices.Concat(whole[:at], whole[at+1:]),
			"cut off":      whole[:at],
			"a byte twice": slices.Concat(whole[:at+1], whole[at:]),
		} {
			if err := os.WriteFile(other, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if string(text) != string(whole) && UseLibrary(other) {
				t.Errorf("used: %s at %d of %d", what, at, len(whole))
			}
		}
	}
}

// Nothing is made where a link of a folder that others can change leads, and the mark of the
// last trim is no link's target.
func TestNothingIsMadeBehindLinks(t *testing.T) {
	above := t.TempDir()
	victim, shared, own := filepath.Join(above, "victim"), filepath.Join(above, "shared"), filepath.Join(above, "own")
	for _, dir := range []string{victim, shared, own} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(shared, 0o777), os.Symlink(victim, filepath.Join(shared, "bench")), os.Symlink(filepath.Join(victim, "absent"), filepath.Join(own, trimmed))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", shared)
	user := trust.Self()
	if user.IsRoot() {
		user.UID = 54321 // root has a folder of its own
	}
	if folder, err := folderOf(user, "", "kernels"); err == nil {
		t.Errorf("%s is used", folder)
	}
	trim(own, time.Now())
	if entries, err := os.ReadDir(victim); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v; want nothing", entries, err)
	}
	if info, err := os.Lstat(filepath.Join(own, trimmed)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v; want a file", info, err)
	}
}
