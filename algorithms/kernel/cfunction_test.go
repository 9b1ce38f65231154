package kernel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
)

// A mistake has the same message each time: a run's summary groups points by
// it. No message of compiler, linker or loader names the random folder.
func TestCompileMessagesRepeat(t *testing.T) {
	if err := compilerAvailable(); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "x.c")
	for name, c := range map[string]struct {
		function, call string
		options        []string
	}{
		"the call":     {"", "void bench_call(void) { 1 }\n", nil},
		"the function": {"int x = ;\n", "", nil},
		"linking":      {"void absent(void);\n", "void bench_call(void) { absent(); }\n", []string{"-Wl,-z,defs"}},
		"loading":      {"void absent(void);\n", "void bench_call(void) { absent(); }\n", []string{"-Wl,-z,now"}},
	} {
		if err := os.WriteFile(path, []byte(c.function), 0o666); err != nil {
			t.Fatal(err)
		}
		_, first := compileC(c.call, path, c.options)
		_, second := compileC(c.call, path, c.options)
		if first == nil || second == nil || first.Error() != second.Error() {
			t.Errorf("%s: %v\nand then %v", name, first, second)
		}
	}
}

// A folder's name may have what a C string cannot.
func TestFunctionInAFolderOfAnyName(t *testing.T) {
	if err := compilerAvailable(); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(t.TempDir(), `it's "a\folder`)
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"f.c": "#include \"f.h\"\nint32_t f(void) { return ANSWER; }\n", "f.h": "#define ANSWER 42\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l, err := compileC("int32_t twice(void) { return 2 * f(); }\n", filepath.Join(folder, "f.c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var twice func() int32
	if err := l.Func(&twice, "twice"); err != nil || twice() != 84 {
		t.Errorf("called: %v", err)
	}
}

// TMPDIR is what is wrong, and is named.
func TestFunctionWithoutTemporaryFolder(t *testing.T) {
	if err := compilerAvailable(); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := compileC("", "f.c", nil)
	if want := "/none: no such file or directory; set TMPDIR to one that you can write to"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want ...%s", err, want)
	}
}

// What a function started goes on in the library after it is closed: threads of OpenMP wait in
// one that only this library needs.
func TestLibraryOutlivesItsCall(t *testing.T) {
	if err := compilerAvailable(); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "f.c")
	text := "void *place(void) { return (void *)place; }\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := compileC("uint64_t here(void) { return (uint64_t)place(); }\n", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var here func() uint64
	if err := l.Func(&here, "here"); err != nil {
		t.Fatal(err)
	}
	at := here()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(maps), "\n") {
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x", &from, &to); n == 2 && from <= at && at < to {
			return
		}
	}
	t.Errorf("the function at %#x is gone once its library is closed", at)
}

// TestIntact: the code of a library is compared with its file.
func TestIntact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(path, []byte("static int f(void) { return 3; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := compileC("int32_t bench_call(void) { return f(); }\n", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	run := &cpuRun{c: &call{library: l}}
	if err := run.Intact(); err != nil || len(l.code) == 0 {
		t.Errorf("%v of %d bytes", err, len(l.code))
	}
	size := uintptr(os.Getpagesize())
	at := unsafe.Pointer(&l.code[0])
	page := unsafe.Slice((*byte)(unsafe.Add(at, -int(uintptr(at)%size))), size)
	protect := func(rights int) {
		if err := unix.Mprotect(page, rights); err != nil {
			t.Fatal(err)
		}
	}
	protect(unix.PROT_READ | unix.PROT_WRITE)
	l.code[0]++
	if err := run.Intact(); !errors.Is(err, framework.ErrCodeChanged) {
		t.Errorf("changed: %v", err)
	}
	l.code[0]--
	protect(unix.PROT_READ | unix.PROT_EXEC)
}

// A C function that is compiled for threads of its own is timed on all of the run's CPUs, any other on one: its threads wait for each other, and
// would otherwise share one CPU.
func TestThreadsOfAFunctionHaveCPUs(t *testing.T) {
	for options, want := range map[string]int{"": 1, `"-O3"`: 1, `"-fopenmp-simd"`: 1, `"-fopenmp"`: 3, `"-O3", "-pthread"`: 3} {
		path := files(t, map[string]string{"x.c": "void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }", "x.json": `{"algorithm": {"cuda": {"name": "x",
			"params": [{"name": "N", "default": 100}], "arguments": [{"name": "y", "type": "f32", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
			"verify": {"none": "because"}, "versions": [{"name": "c", "c": {"source": "x.c", "function": "f", "options": [` + options + `]}}]}}}`})
		f := factory(t, path)
		env := framework.Env{Workers: 3}
		p, err := f.NewProblem(env, params(f, nil))
		if err != nil {
			t.Fatal(err)
		}
		a, err := f.Versions[0].New(env, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.(framework.CPUAlgorithm).Workers(); got != want {
			t.Errorf("options %s: %d workers, want %d", options, got, want)
		}
	}
}
