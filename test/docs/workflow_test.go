package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// workflow is what of a forge's workflow says what runs.
type workflow struct {
	Jobs map[string]struct {
		Steps []step
	}
}

type step struct {
	Name, ID, If, Uses, Run string
	Env                     map[string]string
}

// forge runs the steps of a workflow as a forge's runner does, each by bash -e.
type forge struct {
	t *testing.T
	// origin is the project's repository, programs the folder that PATH begins with.
	origin, programs string
	values           map[string]string // of expressions
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// fill puts values in place of a text's expressions.
func (f *forge) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := f.values[name]
		if !ok {
			f.t.Fatalf("a workflow uses %s, which has no value", name)
		}
		return value
	})
}

// run runs the workflow on a fresh clone for an event and returns the name of the step
// that failed, and what was printed.
func (f *forge) run(w workflow, event string) (failed, out string) {
	f.t.Helper()
	dir := f.t.TempDir()
	work := filepath.Join(dir, "work")
	git(f.t, dir, "clone", "-q", f.origin, work)
	f.values["github.event_name"] = event
	outputs := filepath.Join(dir, "outputs")
	for _, s := range w.Jobs["measure"].Steps {
		if s.Uses != "" {
			continue // the clone
		}
		if s.If != "" {
			name, value, ok := strings.Cut(s.If, " == ")
			if !ok {
				f.t.Fatalf("step %s has the condition %s", s.Name, s.If)
			}
			if f.values[name] != strings.Trim(value, "'") {
				continue
			}
		}
		c := exec.Command("bash", "-e", "-c", f.fill(s.Run))
		c.Dir = work
		c.Env = append(os.Environ(), "PATH="+f.programs+":"+os.Getenv("PATH"), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+outputs, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"),
			"GITHUB_SHA="+git(f.t, work, "rev-parse", "HEAD"))
		for name, value := range s.Env {
			c.Env = append(c.Env, name+"="+f.fill(value))
		}
		text, err := c.CombinedOutput()
		out += string(text)
		if err != nil {
			return s.Name, out
		}
		if s.ID != "" {
			said, _ := os.ReadFile(outputs)
			for _, line := range strings.Split(strings.TrimSpace(string(said)), "\n") {
				name, value, _ := strings.Cut(line, "=")
				f.values["steps."+s.ID+".outputs."+name] = value
			}
		}
	}
	return "", out
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost", "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestHistoryWorkflow runs the workflow that users copy: commits on the main branch each
// add to the history's branch, a merge request adds nothing and gets a comment, and what
// is worse fails.
func TestHistoryWorkflow(t *testing.T) {
	text, err := os.ReadFile("../../docs/workflows/history.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := &forge{t: t, origin: filepath.Join(dir, "origin.git"), programs: filepath.Join(dir, "programs"),
		values: map[string]string{"github.token": "secret", "github.event.pull_request.number": "7"}}
	// The project, whose config is a point of some milliseconds; and the forge's program.
	source := filepath.Join(dir, "source")
	for path, text := range map[string]string{
		"source/configs/mine.json": `{"algorithm": "scan", "processor": "CPU", "versions": ["parallel"], "static_args": {"N": 1024, "batch_elements": 1024},
			"measure": {"min_time_s": 0.01, "timeout_s": 1, "ceilings": false, "cooldown_s": 0}, "sensors": []}`,
		"programs/gh": "#!/bin/sh\necho \"$GH_TOKEN $*\" >> " + dir + "/gh\nfor a; do f=$a; done; cat \"$f\" >> " + dir + "/gh\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(bench, filepath.Join(f.programs, "bench")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main", source)
	git(t, dir, "init", "-q", "--bare", "-b", "main", f.origin)
	git(t, source, "remote", "add", "origin", f.origin)
	commit := func(message string) {
		git(t, source, "add", ".")
		git(t, source, "commit", "-q", "--allow-empty", "-m", message)
		git(t, source, "push", "-q", "origin", "HEAD:main")
	}
	kept := func() []string {
		return strings.Split(git(t, f.origin, "show", "bench-history:history.jsonl"), "\n")
	}
	for n := 1; n <= 3; n++ {
		commit("change")
		if failed, out := f.run(w, "push"); failed != "" {
			t.Fatalf("push %d: %s failed\n%s", n, failed, out)
		}
		if list := kept(); len(list) != n || !strings.Contains(list[n-1], `"revision":"`+git(t, source, "rev-parse", "HEAD")) && !strings.Contains(strings.Join(list, "\n"), git(t, source, "rev-parse", "HEAD")) {
			t.Fatalf("after push %d the history has\n%s", n, strings.Join(list, "\n"))
		}
	}
	if failed, out := f.run(w, "pull_request"); failed != "" || len(kept()) != 3 {
		t.Errorf("merge request: %q failed, %d results are kept\n%s", failed, len(kept()), out)
	}
	said, err := os.ReadFile(filepath.Join(dir, "gh"))
	if err != nil || !strings.HasPrefix(string(said), "secret pr comment 7 ") || !strings.Contains(string(said), "4 runs") {
		t.Errorf("the comment: %v\n%s", err, said)
	}
	// The last step alone, for each status of the check.
	steps := w.Jobs["measure"].Steps
	verdict := workflow{Jobs: map[string]struct{ Steps []step }{"measure": {Steps: steps[len(steps)-1:]}}}
	for status, want := range map[string]string{"0": "", "4": "", "3": "Verdict", "2": "Verdict", "1": "Verdict", "": "Verdict"} {
		f.values["steps.check.outputs.status"] = status
		if failed, out := f.run(verdict, "push"); failed != want {
			t.Errorf("status %q of the check: step %q fails, want %q\n%s", status, failed, want, out)
		}
	}
}

// Each workflow can be read, and what it runs of this repository is there: its targets, programs and folders.
func TestWorkflowsRunWhatIsThere(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob("../../docs/workflows/*.yml")
	if err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	target := regexp.MustCompile(`(?m)(?:^|&& |PATH=\$PATH" )make ([a-z][a-z-]*)`)
	ours := regexp.MustCompile(`(?m)(?:^|[ =])((?:\.ci|tools)/[a-z-]+)`)
	named := 0
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(text, &w); err != nil || len(w.Jobs) == 0 {
			t.Errorf("%s: %d jobs, %v", path, len(w.Jobs), err)
		}
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				for _, m := range target.FindAllStringSubmatch(s.Run, -1) {
					if named++; !strings.Contains(string(makefile), "\n"+m[1]+":") {
						t.Errorf("%s: make %s: there is no such target", path, m[1])
					}
				}
				for _, m := range ours.FindAllStringSubmatch(s.Run, -1) {
					if _, err := os.Stat("../../" + m[1]); err != nil {
						t.Errorf("%s: %v", path, err)
					}
					named++
				}
			}
		}
	}
	if named < 3 {
		t.Errorf("the workflows name %d targets and programs", named)
	}
}
