package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	results, err := filepath.Abs("../results")
	if err != nil {
		t.Fatal(err)
	}
	runs := []string{filepath.Join(results, "literature/tx2-mode0"), filepath.Join(results, "literature/tx2-mode1")}
	status, out, errOut := execute(t, dir, madeUpPath, append([]string{"compare", "--by", "power_mode", "--json"}, runs...)...)
	if status != 0 {
		t.Fatalf("compare: status %d\n%s", status, errOut)
	}
	modes := write(t, filepath.Join(dir, "modes.json"), out)
	page := filepath.Join(dir, "page.html")
	status, out, errOut = execute(t, dir, madeUpPath, append([]string{"report", modes, "--title", "Modes of a TX2", "-o", page}, runs...)...)
	if status != 0 || !strings.Contains(out, "4 sections") {
		t.Errorf("status %d, want 0 and 4 sections\n%s\n%s", status, out, errOut)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "<title>Modes of a TX2</title>") || !strings.Contains(string(text), "comparison by power_mode") {
		t.Errorf("%v: the page lacks its title or the comparison", err)
	}
	for _, c := range []struct {
		want int
		says string
		args []string
	}{
		{2, "--out FILE.html", []string{"report", runs[0]}},
		{2, "holds no results", []string{"report", dir, "--out", page}},
		{2, "no such file", []string{"report", "nowhere", "--out", page}},
		{1, "page.html", []string{"report", runs[0], "--out", filepath.Join(page, "page.html")}},
	} {
		status, _, errOut := execute(t, dir, madeUpPath, c.args...)
		if status != c.want || !strings.Contains(errOut, c.says) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want %d and %q in one line:\n%s", c.args, status, c.want, c.says, errOut)
		}
	}
}
