package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What docs/security.md says is never done.
func TestNoNetwork(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{.ImportPath}} {{join .Imports " "}}{{end}}`, "example.org/bench/cmd/bench")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var users []string
	packages := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		packages++
		for _, w := range words[1:] {
			if w == "net" || w == "net/http" || w == "crypto/tls" || strings.HasPrefix(w, "golang.org/x/net/") {
				users = append(users, words[0]+" "+w)
			}
		}
	}
	// pflag and procfs parse addresses; gojsonschema reads a schema that another one refers to; the SDK of the
	// Model Context Protocol has transports over HTTP, with oauth2.
	const sdk = "github.com/modelcontextprotocol/go-sdk/"
	want := []string{sdk + "auth net/http", sdk + "internal/util net", sdk + "mcp net", sdk + "mcp net/http", sdk + "oauthex net", sdk + "oauthex net/http",
		"github.com/prometheus/procfs net", "github.com/spf13/pflag net", "github.com/xeipuuv/gojsonschema net", "github.com/xeipuuv/gojsonschema net/http",
		"golang.org/x/oauth2 net/http", "golang.org/x/oauth2/internal net/http"}
	if slices.Sort(users); !slices.Equal(users, want) || packages < 100 {
		t.Errorf("of %d packages %q use the network, want %q", packages, users, want)
	}
	transports := regexp.MustCompile(`\bmcp\.\w*(?:Transport|Handler)\b`)
	server, err := filepath.Glob(filepath.Join(root, "command/serve/*.go"))
	if err != nil || len(server) == 0 {
		t.Fatal(server, err)
	}
	for _, file := range server {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range transports.FindAllString(string(text), -1) {
			if name != "mcp.IOTransport" {
				t.Errorf("%s uses %s, which may be one over the network", file, name)
			}
		}
	}
	schema, err := os.ReadFile(filepath.Join(root, "configs/schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	references := regexp.MustCompile(`"\$(?:ref|id)"\s*:\s*"([^"]*)"`).FindAllSubmatch(schema, -1)
	for _, r := range references {
		if !bytes.HasPrefix(r[1], []byte("#")) {
			t.Errorf("the schema of configs refers to %s", r[1])
		}
	}
	if len(references) == 0 {
		t.Error("no reference is found in the schema")
	}
}

func TestNoPrivileges(t *testing.T) {
	forbidden := regexp.MustCompile(`\b(?:Set(?:re|res)?[ug]id|Setfsuid|Capset|SYS_SETRESUID)\(|"(?:sudo|pkexec|su|sh|bash)"`)
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.IsDir() {
			if base := entry.Name(); strings.HasPrefix(base, ".") && name != "." || name == "test" || name == "lab" || name == "tools" || base == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range forbidden.FindAll(text, -1) {
			if name == "internal/linux/confine_linux.go" && string(found) == "Capset(" {
				continue // it takes rights away: TestConfinement
			}
			t.Errorf("%s has %s", name, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Looking at a config runs nothing of it.
func TestPlanAndValidateRunNothing(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	ran := filepath.Join(dir, "ran")
	write("p.sh", "#!/bin/sh\ntouch '"+ran+"'\necho '{\"time_s\": 1e-3, \"flops\": 1, \"load_bytes\": 1, \"store_bytes\": 1}'\n", 0o755)
	write("k.c", "#include <fcntl.h>\n__attribute__((constructor)) static void ran(void) { open(\""+ran+"\", O_CREAT | O_WRONLY, 0600); }\n"+
		"void f(const double *x, double *y) { y[0] = x[0]; }\n", 0o644)
	write("program.json", `{"executable": "./p.sh", "sensors": [], "measure": {"ceilings": false, "min_samples": 3, "min_time_s": 0.001, "noise": 0.9, "timeout_s": 60}}`, 0o644)
	write("c.json", `{"algorithm": {"cuda": {"name": "copy", "arguments": [{"name": "x", "type": "f64", "size": "1", "fill": {"random": [0, 1]}},
		{"name": "y", "type": "f64", "size": "1", "use": "output"}], "verify": {"c": {"source": "k.c", "function": "f"}, "tolerance": 0},
		"versions": [{"name": "v", "c": {"source": "k.c", "function": "f"}}]}}, "sensors": [], "measure": {"ceilings": false, "min_samples": 3, "min_time_s": 0.001, "noise": 0.9, "timeout_s": 60}}`, 0o644)
	for _, config := range []string{"program.json", "c.json"} {
		for _, verb := range []string{"validate", "plan", "run"} {
			status, out := run(dir, bench, verb, config)
			if status != 0 {
				t.Errorf("%s %s: status %d\n%s", verb, config, status, out)
			}
			if _, err := os.Stat(ran); (err == nil) != (verb == "run") {
				t.Errorf("%s %s: %v; want what it names to run by run alone", verb, config, err)
			}
		}
		os.Remove(ran)
	}
}

// The unit that docs/power.md installs starts an existing verb.
func TestSystemdUnit(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "tools/dist/systemd/bench-restore.service"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/bench (.*)$`).FindSubmatch(text)
	note := regexp.MustCompile(`(?m)^ConditionPathExists=(.*)$`).FindSubmatch(text)
	folder := regexp.MustCompile(`(?m)^StateDirectory=(.*)$`).FindSubmatch(text)
	if command == nil || note == nil || folder == nil {
		t.Fatalf("the unit has no command, note or folder:\n%s", text)
	}
	if string(note[1]) != "/var/lib/"+string(folder[1])+"/power-mode.json" {
		t.Errorf("the note %s is not in the folder %s", note[1], folder[1])
	}
	t.Setenv("STATE_DIRECTORY", t.TempDir())
	if status, out := run(t.TempDir(), bench, strings.Fields(string(command[1]))...); status != 0 || out != "nothing to restore\n" {
		t.Errorf("bench %s: status %d\n%s", command[1], status, out)
	}
}
