package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bench/framework/record"
)

// twoVersions is a published run, of two versions and a library at one problem.
func twoVersions(t *testing.T) string {
	t.Helper()
	run, err := record.Read("../results/h200-bicubic")
	if err != nil {
		t.Fatal(err)
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(w record.Row) bool {
		return w.Params["basis"].String() != "hermite" || !slices.Contains([]string{"v2", "v5", "npp"}, w.Version)
	})
	dir := t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Where a comparison is asked why, it says so of what is known, and is otherwise as it is
// without; and a report does.
func TestReasons(t *testing.T) {
	t.Parallel()
	dir := twoVersions(t)
	arguments := []string{"compare", dir, "--by", "version", "--baseline", "v5", "--metric", "time"}
	status, plain, errOut := execute(t, dir, madeUpPath, arguments...)
	if status != 0 || strings.Contains(plain, "because") {
		t.Fatalf("status %d\n%s\n%s", status, plain, errOut)
	}
	status, out, errOut := execute(t, dir, madeUpPath, append(arguments, "--why")...)
	if strings.Contains(out, "no usable libnvrtc") {
		t.Skip("needs NVRTC")
	}
	for _, want := range []string{"v2: slower because: instructions of warps ", "not explained (a library's code is not known) at npp", "reasons are of the kernels as this build has them"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q\n%s\n%s", status, want, out, errOut)
		}
	}
	rest := slices.DeleteFunc(slices.Collect(strings.Lines(out)), func(l string) bool { return !strings.Contains(plain, l) })
	if strings.Join(rest, "") != plain {
		t.Errorf("with --why\n%s\nwithout\n%s", out, plain)
	}

	page := filepath.Join(dir, "page.html")
	if status, out, errOut = execute(t, dir, madeUpPath, "report", "--why", dir, "-o", page); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	text, err := os.ReadFile(page)
	for _, want := range []string{"what bounds each point", "Bound by ", "v2 is slower because: "} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v: the page lacks %q", err, want)
		}
	}
}

// Without NVRTC a comparison is what it is, and says why it has no reasons.
func TestNoReasons(t *testing.T) {
	t.Parallel()
	dir := twoVersions(t)
	none := []string{"BENCH_NVRTC=" + filepath.Join(dir, "none.so")}
	status, out, errOut := executeWith(t, dir, none, madeUpPath, "compare", dir, "--by", "version", "--why", "--json")
	var c struct{ Notes []string }
	if err := json.Unmarshal([]byte(out), &c); status != 0 || err != nil || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, "no reasons: ") }) {
		t.Errorf("status %d, %v: %q\n%s", status, err, c.Notes, errOut)
	}
	status, _, errOut = executeWith(t, dir, none, madeUpPath, "report", "--why", dir, "-o", filepath.Join(dir, "page.html"))
	if status != 1 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "--why: ") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}
