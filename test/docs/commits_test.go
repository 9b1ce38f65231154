package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/textfile"
	"example.org/bench/test/published"
	"example.org/bench/tuning/search"
)

// TestCommits: each published run, search and comparison in turns says tool, start and command, and its
// commit is in this history, or results/README.md names its folder among those of which it is not.
func TestCommits(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("an archive of the tree has no history")
	}
	git := exec.Command("git", "-c", "safe.directory=*", "log", "--format=%H")
	git.Dir = root
	text, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	history := "\n" + string(text)
	page, err := os.ReadFile(filepath.Join(root, "results/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Runs of no commit here")
	section, _, _ = strings.Cut(section, "\n## ")
	listed, met := map[string]string{}, map[string]bool{} // the commit that the page gives a folder
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, m := range regexp.MustCompile("(?:^|, )`([^`]+)`").FindAllStringSubmatch(strings.TrimSpace(cells[2]), -1) {
			listed[m[1]] = strings.TrimSpace(cells[1])
		}
	}
	var paths []string
	checked := 0
	for _, file := range []string{record.InfoFile, search.ReportFile, experiment.TurnsFile} {
		found, err := published.Folders(root, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range found {
			paths = append(paths, filepath.Join(at, file))
		}
	}
	for _, path := range paths {
		name := published.Name(root, filepath.Dir(path))
		folder, _, _ := strings.Cut(name, "/")
		text, err := textfile.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var own struct {
			record.Info
			Within *record.Info `json:"info"`
		}
		if err := json.Unmarshal(text, &own); err != nil {
			t.Fatal(path, err)
		}
		info := own.Info
		if own.Within != nil {
			info = *own.Within
		}
		if info.Source != "" {
			continue // printed figures
		}
		checked++
		commit := info.Tool.Commit
		switch known := commit != "" && strings.Contains(history, "\n"+commit); {
		case known:
			if info.Started.IsZero() || len(info.Command) == 0 {
				t.Errorf("results/%s says no start or command", name)
			}
		case listed[folder] == "":
			t.Errorf("results/%s is of commit %q, which is not in this history", name, commit)
		case listed[folder] != "none told" && !strings.HasPrefix(commit, listed[folder]) || listed[folder] == "none told" && commit != "":
			t.Errorf("results/%s is of commit %q, results/README.md says %s", name, commit, listed[folder])
		default:
			met[folder] = true
		}
	}
	for folder := range listed {
		if !met[folder] {
			t.Errorf("results/README.md says that results/%s is of no commit here, and it is", folder)
		}
	}
	if checked < 200 {
		t.Errorf("only %d runs", checked)
	}
}
