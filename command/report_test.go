package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// A report that follows a run is written anew with each point, and ends with the run.
func TestReportFollows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p.sh"), "#!/bin/sh\nwhile [ ! -e \"go$2\" ]; do sleep 0.02; done\necho '{\"time_s\": 1e-3, \"flops\": 2000, \"load_bytes\": 16000, \"store_bytes\": 8000}'\n")
	if err := os.Chmod(filepath.Join(dir, "p.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := write(t, filepath.Join(dir, "p.json"), `{"executable": "./p.sh", "kernel_name": "p", "output_file_prefix": "p", "sensors": [],
		"sweep_arg": [["--n", [1, 2, 3]]], "measure": {"timeout_s": 300, "point_timeout_s": 600, "min_samples": 2}}`)
	begin := func(args ...string) chan error {
		cmd := exec.Command(benchPath, args...)
		cmd.Dir = dir
		ended := make(chan error, 1)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		go func() { ended <- cmd.Wait() }()
		return ended
	}
	run := begin("run", config, "--out", "r")
	until(t, "the journal", func() bool {
		_, err := os.Stat(filepath.Join(dir, "r", "journal.jsonl"))
		return err == nil
	})
	report := begin("report", "r", "--follow", "-o", "page.html")
	page := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "page.html")) // it may not be there yet
		return string(text)
	}
	for n := 1; n <= 3; n++ {
		write(t, filepath.Join(dir, fmt.Sprint("go", n)), "")
		want := fmt.Sprintf("%d of 3 points so far", n)
		if n < 3 { // the last point ends both
			until(t, want, func() bool { return strings.Contains(page(), want) && strings.Contains(page(), `"reload":2,`) })
		}
	}
	for what, ended := range map[string]chan error{"run": run, "report": report} {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(patience):
			t.Fatalf("the %s does not end", what)
		}
	}
	if text := page(); strings.Contains(text, `"reload"`) || strings.Contains(text, "so far") || strings.Count(text, "p at ") == 0 && !strings.Contains(text, "--n") {
		t.Error("the last page is not that of the whole run")
	}
}
