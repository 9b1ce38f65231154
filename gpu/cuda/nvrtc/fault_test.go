package nvrtc

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
)

// standIn is a library that compiles everything to "code", and one of whose calls
// fails.
const standIn = `
#include <string.h>
typedef int R;
static long long calls, fault_at;
static const char *faulty = "";
void stub_fault(long long at) { calls = 0, fault_at = at, faulty = ""; }
const char *stub_faulty(void) { return faulty; }
#define FAULT(call) if (++calls == fault_at) { faulty = call; return 11; }
#define OUT(name, text) \
	R name##Size(void *p, size_t *n) { FAULT(#name "Size") *n = sizeof text; return 0; } \
	R name(void *p, char *s) { FAULT(#name) memcpy(s, text, sizeof text); return 0; }
const char *nvrtcGetErrorString(R r) { return r == 11 ? "NVRTC_ERROR_INTERNAL_ERROR" : "?"; }
R nvrtcVersion(int *a, int *b) { FAULT("nvrtcVersion") *a = 12, *b = 0; return 0; }
R nvrtcCreateProgram(void **p, const char *t, const char *n, int c, const char **x, const char **y) { FAULT("nvrtcCreateProgram") *p = p; return 0; }
R nvrtcDestroyProgram(void **p) { FAULT("nvrtcDestroyProgram") return 0; }
R nvrtcCompileProgram(void *p, int n, const char **o) { FAULT("nvrtcCompileProgram") return 0; }
R nvrtcGetNumSupportedArchs(int *n) { FAULT("nvrtcGetNumSupportedArchs") *n = 1; return 0; }
R nvrtcGetSupportedArchs(int *a) { FAULT("nvrtcGetSupportedArchs") *a = 53; return 0; }
R nvrtcAddNameExpression(void *p, const char *e) { FAULT("nvrtcAddNameExpression") return 0; }
R nvrtcGetLoweredName(void *p, const char *e, const char **n) { FAULT("nvrtcGetLoweredName") *n = "_Z1kv"; return 0; }
OUT(nvrtcGetPTX, "ptx")
OUT(nvrtcGetProgramLog, "log")
#ifndef OLD
OUT(nvrtcGetCUBIN, "code")
#endif
`

// Each call of the library fails once: the error is a line that names it and has
// NVRTC's name of the result.
func TestEveryCallFails(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	failed := []string{"nvrtcGetErrorString"} // which cannot fail
	for _, macro := range []string{"-DNEW", "-DOLD"} {
		path := filepath.Join(t.TempDir(), "libnvrtc.so.12")
		gcc := exec.Command("gcc", "-shared", "-fPIC", "-w", macro, "-o", path, "-x", "c", "-")
		gcc.Stdin = strings.NewReader(standIn)
		if text, err := gcc.CombinedOutput(); err != nil {
			t.Fatalf("build the test library with gcc: %v\n%s", err, text)
		}
		t.Setenv(PathVariable, path)
		lib, err := dynlib.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var fault func(at int64)
		var faulty func() string
		for fn, name := range map[any]string{&fault: "stub_fault", &faulty: "stub_faulty"} {
			if err := lib.Func(fn, name); err != nil {
				t.Fatal(err)
			}
		}
		compile := func() error {
			c, err := Open()
			if err != nil {
				return err
			}
			c.cache = cache{}
			_, err = c.Compile(gpu.Source{Name: "k.cu", Kernels: []string{"k"}}, "sm_53")
			return err
		}
		for n := 1; ; n++ {
			fault(int64(n))
			err := compile()
			call := faulty()
			fault(0)
			if call == "" {
				if err != nil {
					t.Fatalf("without a fault: %v", err)
				}
				break
			}
			failed = append(failed, call)
			switch text, _, _ := strings.Cut(fmt.Sprint(err), "\n"); call {
			case "nvrtcDestroyProgram", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs": // known otherwise, or costs memory of a process that ends
				if err != nil {
					t.Errorf("%s: %v", call, err)
				}
			default:
				if !strings.Contains(text, call+": NVRTC_ERROR_INTERNAL_ERROR") {
					t.Errorf("%s: %v", call, err)
				}
			}
		}
	}
	functions := reflect.TypeFor[library]()
	for i := range functions.NumField() {
		if symbol := functions.Field(i).Tag.Get("symbol"); symbol != "" && !slices.Contains(failed, symbol) {
			t.Errorf("%s did not fail: the test does not call it", symbol)
		}
	}
}
