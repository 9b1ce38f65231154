package layout

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// requirement is a module of go.mod with the Go that its own go.mod asks for.
type requirement struct{ path, goVersion string }

// newest is the requirement that asks for the newest Go.
func newest(list []requirement) (of requirement) {
	for _, r := range list {
		if version.Compare("go"+r.goVersion, "go"+of.goVersion) > 0 {
			of = r
		}
	}
	return of
}

// tooNew says what is wrong with a go.mod's line go: nothing where a requirement asks for as much.
func tooNew(own string, list []requirement) string {
	if most := newest(list); version.Compare("go"+own, "go"+most.goVersion) > 0 {
		return fmt.Sprintf("go.mod: go %s; no requirement asks for more than go %s (%s)", own, most.goVersion, most.path)
	}
	return ""
}

// A newer Go than the requirements ask for only shuts systems out.
func TestGoIsNoNewerThanRequirementsAsk(t *testing.T) {
	output := func(args ...string) []byte {
		c := exec.Command("go", args...)
		c.Dir, c.Stderr = "../..", os.Stderr
		// What the build has is enough: nothing is fetched.
		c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
		text, err := c.Output()
		if err != nil {
			t.Fatalf("go %s: %v", strings.Join(args, " "), err)
		}
		return text
	}
	var file struct{ Go string }
	if err := json.Unmarshal(output("mod", "edit", "-json"), &file); err != nil {
		t.Fatal(err)
	}
	// Of the modules that packages and tests are built from: of others a system may have nothing.
	var list []requirement
	known := map[string]bool{}
	for line := range strings.Lines(string(output("list", "-deps", "-test", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.GoVersion}}{{end}}{{end}}", "./..."))) {
		if path, goVersion, _ := strings.Cut(strings.TrimSpace(line), " "); goVersion != "" && !known[path] { // none: before modules had one
			known[path] = true
			list = append(list, requirement{path, goVersion})
		}
	}
	if len(list) < 15 {
		t.Fatalf("%d modules say which Go they ask for", len(list))
	}
	if wrong := tooNew(file.Go, list); wrong != "" {
		t.Error(wrong)
	}
}

// gomod are the lines of a folder's go.mod.
func gomod(t *testing.T, folder string) (file struct {
	Go      string
	Require []struct{ Path, Version string }
}) {
	t.Helper()
	c := exec.Command("go", "mod", "edit", "-json")
	c.Dir = folder
	text, err := c.Output()
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	return file
}

// The trials of lab are of the program as it is built: with the same Go and modules.
func TestLabTakesTheSameVersions(t *testing.T) {
	own, lab := gomod(t, "../.."), gomod(t, "../../lab")
	if own.Go != lab.Go {
		t.Errorf("lab/go.mod: go %s, want go %s as in go.mod", lab.Go, own.Go)
	}
	versions := map[string]string{}
	for _, r := range own.Require {
		versions[r.Path] = r.Version
	}
	common := 0
	for _, r := range lab.Require {
		version := versions[r.Path]
		if version != "" {
			common++
		}
		if version != "" && version != r.Version {
			t.Errorf("lab/go.mod: %s %s, want %s as in go.mod", r.Path, r.Version, version)
		}
	}
	if common < 15 {
		t.Errorf("%d modules are in both go.mod and lab/go.mod", common)
	}
}

func TestTooNewGoIsFound(t *testing.T) {
	list := []requirement{{"a", "1.9"}, {"b", "1.25.3"}, {"c", "1.24"}}
	for own, want := range map[string]string{
		"1.25.3": "", "1.24.0": "", "1.25.2": "",
		"1.26.0": "go.mod: go 1.26.0; no requirement asks for more than go 1.25.3 (b)",
		"1.25.4": "go.mod: go 1.25.4; no requirement asks for more than go 1.25.3 (b)",
	} {
		if wrong := tooNew(own, list); wrong != want {
			t.Errorf("go %s: %q, want %q", own, wrong, want)
		}
	}
}
