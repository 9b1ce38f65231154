package opencl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/trust"
)

// TestVendors: a driver, or the file that names it, which others can change is refused by its name.
func TestVendors(t *testing.T) {
	folder, lib := t.TempDir(), filepath.Join(t.TempDir(), "libdriver.so")
	icd := filepath.Join(folder, "driver.icd")
	check := func(want string, problem error) {
		t.Helper()
		if problem == nil && want != "" || problem != nil && (!errors.Is(problem, trust.ErrUntrusted) || !strings.HasPrefix(problem.Error(), want)) {
			t.Errorf("%v, want %q", problem, want)
		}
	}
	for name, content := range map[string]string{icd: lib + "\n", lib: "x", filepath.Join(folder, "other.icd"): "libname.so.1", filepath.Join(folder, "gone.icd"): "/no/such/lib.so", filepath.Join(folder, "empty.icd"): ""} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check("", checkVendors(trust.Self(), folder))
	check("", checkVendors(trust.Self(), folder+"/none"))
	for _, c := range []struct{ file, want string }{{icd, icd + " names an OpenCL driver"}, {lib, lib + ", an OpenCL driver by " + icd}} {
		if err := os.Chmod(c.file, 0o646); err != nil {
			t.Fatal(err)
		}
		err := checkVendors(trust.Self(), folder)
		if err == nil {
			t.Errorf("%s is trusted though others can write it", c.file)
		}
		check(c.want, err)
		if err := os.Chmod(c.file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
