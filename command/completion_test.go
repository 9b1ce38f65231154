package command_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The built program completes what a shell asks it; the last word is being
// typed. A directive of 8 means files of these endings, 16 folders, 4 no file.
func TestCompletion(t *testing.T) {
	t.Parallel()
	config := write(t, filepath.Join(t.TempDir(), "mine.json"), `{"algorithm": "fft"}`)
	for _, c := range []struct {
		typed     []string
		want      []string
		directive string
	}{
		{[]string{"run", ""}, []string{"json"}, ":8"},
		{[]string{"list", ""}, []string{"fft", "scan"}, ":0"},
		{[]string{"list", "fft", ""}, nil, ":4"},
		{[]string{"verify", "fft", "sc"}, []string{"scan"}, ":0"},
		{[]string{"verify", "my"}, []string{"json"}, ":8"},
		{[]string{"verify", "fft", "--versions", "sto"}, []string{"stockham"}, ":6"},
		{[]string{"ab", config, "--versions", "stockham,st"}, []string{"stockham,stockham"}, ":6"},
		{[]string{"plot", ""}, nil, ":16"},
		{[]string{"compare", "--by", "power"}, []string{"power_mode"}, ":4"},
		{[]string{"run", "--processor", "C"}, []string{"CPU"}, ":4"},
		{[]string{"tune", "--strategy", "iterml-k"}, []string{"iterml-knn"}, ":4"},
		{[]string{"tune", "--device", "jetson-tx"}, []string{"jetson-tx1"}, ":4"},
		{[]string{"com"}, []string{"compare", "completion"}, ":4"},
		{[]string{"help", ""}, []string{"csv", "json", "run"}, ":4"},
		{[]string{"help", "csv", ""}, nil, ":4"},
	} {
		status, out, errOut := execute(t, t.TempDir(), benchPath, append([]string{"__complete"}, c.typed...)...)
		if status != 0 {
			t.Fatalf("%q: status %d: %s", c.typed, status, errOut)
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		var offered []string
		for _, l := range lines[:len(lines)-1] {
			word, _, _ := strings.Cut(l, "\t")
			offered = append(offered, word)
		}
		for _, w := range c.want {
			if !slices.Contains(offered, w) {
				t.Errorf("%q offers %q, want %s in it", c.typed, offered, w)
			}
		}
		if c.want == nil && len(offered) > 0 {
			t.Errorf("%q offers %q, want nothing", c.typed, offered)
		}
		if last := lines[len(lines)-1]; last != c.directive {
			t.Errorf("%q: directive %s, want %s", c.typed, last, c.directive)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if status, out, _ := execute(t, t.TempDir(), benchPath, "completion", shell); status != 0 || !strings.Contains(out, "__complete") {
			t.Errorf("completion %s: status %d, %d bytes", shell, status, len(out))
		}
	}
}

// What a shell sources is a script or nothing.
func TestCompletionForNoShell(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"completion"}, {"completion", "foo"}, {"completion", "foo", "bash"}} {
		status, out, errOut := execute(t, t.TempDir(), benchPath, args...)
		if status != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "want one of bash, fish, powershell, zsh") {
			t.Errorf("%q: status %d\n%s%s", args, status, out, errOut)
		}
	}
	if status, out, _ := execute(t, t.TempDir(), benchPath, "completion", "--help"); status != 0 || !strings.Contains(out, "powershell") {
		t.Errorf("--help: status %d\n%s", status, out)
	}
}

// Every verb that help shows has a page with its flags; nothing of the help is
// lost on the way through Markdown.
func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	if status, _, errOut := execute(t, t.TempDir(), benchPath, "man", dir); status != 0 {
		t.Fatalf("status %d: %s", status, errOut)
	}
	_, help, _ := execute(t, t.TempDir(), benchPath, "--help")
	_, verbs, _ := strings.Cut(help, "Measure:\n")
	verbs, _, _ = strings.Cut(verbs, "Flags:\n")
	if strings.Contains(verbs, "Additional Commands") {
		t.Errorf("a verb of no group:\n%s", verbs)
	}
	pages := 0
	for line := range strings.Lines(verbs) {
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verb == "help" || !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") { // a title, or what continues a line
			continue
		}
		pages++
		text, err := os.ReadFile(filepath.Join(dir, "bench-"+verb+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		plain := strings.ReplaceAll(string(text), `\`, "")
		_, help, _ := execute(t, t.TempDir(), benchPath, verb, "--help")
		for _, word := range strings.Fields(help) {
			if strings.HasPrefix(word, "--") && len(word) > 2 && !strings.Contains(plain, strings.Trim(word, `,.:;)'"`)) {
				t.Errorf("bench-%s.1 lacks %s", verb, word)
			}
		}
		if strings.Contains(help, "EXIT STATUS") && !strings.Contains(string(text), ".SH EXIT STATUS") {
			t.Errorf("bench-%s.1 has no heading EXIT STATUS", verb)
		}
	}
	if pages < 25 {
		t.Errorf("only %d verbs in the help", pages)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "bench-run.1")); !strings.Contains(string(text), `results/<output_file_prefix>`) {
		t.Error("bench-run.1 lacks results/<output_file_prefix>")
	}
}
