package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForecastOfTheLiterature is as docs/searches.md prints it, and refuses what tells nothing.
func TestForecastOfTheLiterature(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "searches.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, session, ok := strings.Cut(string(page), "```console\n")
	session, _, _ = strings.Cut(session, "```")
	commands := strings.Split(strings.TrimPrefix(session, "$ "), "\n\n$ ")
	if !ok || len(commands) != 2 {
		t.Fatalf("%q", commands)
	}
	for _, c := range commands {
		line, want, _ := strings.Cut(c, "\n")
		words := strings.Fields(line)
		status, out, errOut := execute(t, root, benchPath, words[1:]...)
		if status != 0 || strings.TrimSpace(out) != strings.TrimSpace(want) {
			t.Errorf("%s: status %d\n%s%swant\n%s", line, status, out, errOut, want)
		}
	}
	dir := t.TempDir()
	space := write(t, filepath.Join(dir, "s.csv"), "a,time_ms,status\n1,2,valid\n2,1,valid\n")
	known := filepath.Join(root, "results", "tuning-transfer", "transfer.csv")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"0 pairs of devices are known; a forecast with an interval of 80 % needs 9", []string{"transfer", space, "--forecast"}},
		{"--known goes with --forecast, which is not given", []string{"transfer", space, "--known", known}},
		{"not the transfer.csv of bench transfer", []string{"transfer", space, "--forecast", "--known", space}},
		{"--forecast", []string{"transfer", space, "--forecast", "--reference", root}},
	} {
		status, out, errOut := execute(t, dir, benchPath, c.args...)
		if status != 2 || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want %q:\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}
