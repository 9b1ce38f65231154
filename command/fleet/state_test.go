package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// marked has stand-ins for the programs that a fleet's run starts, which leave marks; marks are
// those that were started.
func marked(t *testing.T) (marks func() []string) {
	t.Helper()
	dir := t.TempDir()
	scripts := map[string]string{}
	for _, name := range []string{"ssh", "sh", "touch", "sbatch", "squeue", "scontrol", "scancel", "evil"} {
		scripts[name] = fmt.Sprintf(`echo "$0 $*" >>%s/ran`, dir)
	}
	t.Setenv("PATH", standIns(t, scripts))
	return func() []string {
		text, err := os.ReadFile(filepath.Join(dir, "ran"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	}
}

const itsJob = ".cache/bench-fleet/orin1-20260101-000000-0123abcd"

// strangers is a File as somebody else may have written it, of a board that measures.
func strangers(change func(*Fleet)) string {
	f := &Fleet{SSH: []string{"ssh"}, Folder: DefaultFolder, Configs: []string{"/c/r.json"}, Runs: []jobRun{{Prefix: "r", Args: []string{"configs/0/r.json"}}},
		Boards: []*Board{{Host: "orin1", Name: "orin1", Job: itsJob, Sent: true}}}
	change(f)
	text, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestStrangersState: what somebody else's File names starts no program, and removes and writes
// nothing outside of the folder.
func TestStrangersState(t *testing.T) {
	if f, err := Open(files(t, map[string]string{File: strangers(func(*Fleet) {})}), Given{}, quiet); err != nil || f.own {
		t.Fatalf("what does no harm: %v", err)
	}
	b := func(f *Fleet) *Board { return f.Boards[0] }
	for name, c := range map[string]struct {
		change func(*Fleet)
		want   string
	}{
		"ssh":             {func(f *Fleet) { f.SSH = []string{"sh", "-c", "touch PWNED"} }, "--ssh says which"},
		"option of ssh":   {func(f *Fleet) { f.SSH = []string{"ssh", "-oProxyCommand=touch PWNED"} }, "--ssh says which"},
		"path of ssh":     {func(f *Fleet) { f.SSH = []string{"./ssh"} }, "--ssh says which"},
		"no ssh":          {func(f *Fleet) { f.SSH = nil }, "--ssh says which"},
		"host":            {func(f *Fleet) { b(f).Host, b(f).Name = "-oProxyCommand=x", "-oProxyCommand_x" }, "not the name of a host"},
		"host with words": {func(f *Fleet) { b(f).Host = "orin1 touch" }, "not the name of a host"},
		"host's line":     {func(f *Fleet) { b(f).Host = "orin1\n" }, "not the name of a host"},
		"name":            {func(f *Fleet) { b(f).Name = ".." }, "want orin1"},
		"name elsewhere":  {func(f *Fleet) { b(f).Name = "../../precious" }, "want orin1"},
		"no name":         {func(f *Fleet) { b(f).Name = "" }, "want orin1"},
		"no board":        {func(f *Fleet) { f.Boards = nil }, "names no board"},
		"nothing":         {func(f *Fleet) { f.Boards = []*Board{nil} }, "without a name"},
		"twice":           {func(f *Fleet) { f.Boards = append(f.Boards, b(f)) }, "named twice"},
		"prefix":          {func(f *Fleet) { f.Runs[0].Prefix = "../../../outside" }, "name of a folder"},
		"prefix above":    {func(f *Fleet) { f.Runs[0].Prefix = ".." }, "name of a folder"},
		"no prefix":       {func(f *Fleet) { f.Runs[0].Prefix = "" }, "name of a folder"},
		"prefix twice":    {func(f *Fleet) { f.Runs = append(f.Runs, f.Runs[0]) }, "two runs"},
		"job":             {func(f *Fleet) { b(f).Job = ".cache/bench-fleet/.." }, "no folder of a job"},
		"job elsewhere":   {func(f *Fleet) { b(f).Job = "thesis" }, "no folder of a job"},
		"job's command":   {func(f *Fleet) { b(f).Job = itsJob + "'; touch PWNED; '" }, "no folder of a job"},
		"no job":          {func(f *Fleet) { b(f).Job = "" }, "names no folder for the job"},
		"folder":          {func(f *Fleet) { f.Folder, b(f).Job = "/home/me", "/home/me/"+filepath.Base(itsJob) }, "--folder says which"},
	} {
		marks := marked(t)
		dir := files(t, map[string]string{File: strangers(c.change)})
		f, err := Open(dir, Given{}, quiet)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), File) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if f != nil {
			f.Close()
		}
		if ran := marks(); len(ran) > 0 {
			t.Errorf("%s: started %q", name, ran)
		}
	}
	// What is given counts, and nothing is sent.
	dir := files(t, map[string]string{File: strangers(func(f *Fleet) {
		f.SSH, f.Boards[0].Sent, f.Boards[0].Job = []string{"evil"}, false, ""
	})})
	marks := marked(t)
	f, err := Open(dir, Given{SSH: []string{"ssh", "-F", "mine"}}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing is sent there") || len(marks()) > 0 {
		t.Errorf("%v, started %q", err, marks())
	}
	if again, err := Open(dir, Given{}, quiet); err != nil && !strings.Contains(err.Error(), "--ssh says which") || err == nil && again.own {
		t.Errorf("a stranger's state has become this user's: %v", err)
	}
}

// TestOwnState is obeyed as it was written, and no longer where a byte of it was changed.
func TestOwnState(t *testing.T) {
	dir := t.TempDir()
	f, err := New(dir, Plan{SSH: []string{"ssh", "-F", "x"}, Folder: "/data/jobs", Hosts: []string{"user@orin1"}, Configs: []PlannedConfig{{Path: "a.json", Prefix: "a"}}}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.hold(), f.save(), f.Close()); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, Given{}, quiet)
	if err != nil || !again.own || !slices.Equal(again.SSH, f.SSH) {
		t.Fatalf("%+v, %v", again, err)
	}
	again.Close()
	path := filepath.Join(dir, File)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(text), `"-F"`, `"-G"`, 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Given{}, quiet); err == nil || !strings.Contains(err.Error(), "--ssh says which") {
		t.Errorf("changed: %v", err)
	}
	if err := errors.Join(os.WriteFile(path, text, 0o666), os.Chmod(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Given{}, quiet); err == nil || !strings.Contains(err.Error(), "not trusted: others can write to it") {
		t.Errorf("others can write it: %v", err)
	}
}

// TestStrangersArray: what somebody else's ArrayFile names is not submitted, and ends no job
// but by number.
func TestStrangersArray(t *testing.T) {
	array := func(change func(*Array)) string {
		a := &Array{Program: "/bin/true", Tasks: []task{{Prefix: "r", Args: []string{"r.json"}}}, Scripts: []script{{File: "job-1.sh", Tasks: []int{0}}}}
		change(a)
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, change := range map[string]func(*Array){
		"prefix": func(a *Array) { a.Tasks[0].Prefix = "../x" }, "script": func(a *Array) { a.Scripts[0].File = "../../job-1.sh" },
		"job": func(a *Array) { a.Scripts[0].Job = "--user=me" }, "task": func(a *Array) { a.Scripts[0].Tasks[0] = 7 }, "negative": func(a *Array) { a.Scripts[0].Tasks[0] = -1 },
	} {
		if a, err := OpenArray(files(t, map[string]string{ArrayFile: array(change)}), quiet); err == nil {
			t.Errorf("%s is taken: %+v", name, a)
		}
	}
	dir := files(t, map[string]string{ArrayFile: array(func(*Array) {}), "slurm/job-1.sh": "touch PWNED", "slurm/bench": "touch PWNED"})
	a, err := OpenArray(dir, quiet)
	if err != nil {
		t.Fatal(err)
	}
	marks := marked(t)
	if err := a.Submit(t.Context()); err == nil || !strings.Contains(err.Error(), "was not written by your bench: it submits nothing") {
		t.Errorf("%v", err)
	}
	if ran := marks(); len(ran) > 0 {
		t.Errorf("started %q", ran)
	}
}

// TestArrayIsSubmittedAsItWasWritten: neither are scripts that were changed submitted, nor is
// another program started.
func TestArrayIsSubmittedAsItWasWritten(t *testing.T) {
	standIns(t, map[string]string{"scontrol": "exit 1", "squeue": "", "sbatch": `cat "$2" >"$0.script"; echo 1`})
	dir := t.TempDir()
	a, err := NewArray(t.Context(), dir, ArrayPlan{Program: "/bin/true", Configs: []PlannedConfig{{Path: "a.json", Prefix: "a"}}}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	script, program := filepath.Join(dir, scriptsDir, "job-1.sh"), filepath.Join(dir, scriptsDir, programFile)
	want, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(script, []byte("touch PWNED"), 0o777)
	}
	good, err2 := os.ReadFile(program)
	if err := errors.Join(err, err2, os.WriteFile(program, []byte("#!/bin/sh\ntouch PWNED\n"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := a.Submit(t.Context()); err == nil || !strings.Contains(err.Error(), "its SHA-256 is another") {
		t.Errorf("another program: %v", err)
	}
	if err := os.WriteFile(program, good, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := a.Submit(t.Context()); err == nil || !strings.Contains(err.Error(), "job-1.sh is no longer as it was written") {
		t.Errorf("another script: %v", err)
	}
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	if err := a.Submit(t.Context()); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(script); err != nil || string(got) != string(want) {
		t.Errorf("%v, submitted\n%s", err, got)
	}
	for path, mode := range map[string]fs.FileMode{script: 0o100, program: 0o100} {
		if info, err := os.Stat(path); err != nil || info.Mode()&mode == 0 {
			t.Errorf("%s cannot be executed: %v", path, err)
		}
	}
}

// TestFolderOfLogs: a folder's name is no line of a script, and no pattern of sbatch's.
func TestFolderOfLogs(t *testing.T) {
	standIns(t, map[string]string{"scontrol": "exit 1"})
	plan := ArrayPlan{Program: "/bin/true", Configs: []PlannedConfig{{Path: "a.json", Prefix: "a"}}}
	for _, name := range []string{"q\ntouch PWN7; exit 0\nz", "a\rb", `a"b`, `a\b`, "a\tb", "a\x7fb"} {
		if _, err := NewArray(t.Context(), filepath.Join(t.TempDir(), name), plan, quiet); err == nil || !strings.Contains(err.Error(), "cannot be in a job script") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{"pct%A dir": "pct%%A dir", "it's #1": "it's #1", "$(touch x)": "$(touch x)"} {
		above := t.TempDir()
		a, err := NewArray(t.Context(), filepath.Join(above, name), plan, quiet)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		text, err := os.ReadFile(filepath.Join(above, name, scriptsDir, "job-1.sh"))
		if line := "\n#SBATCH --output=\"" + filepath.Join(above, want, scriptsDir) + "/task-%a.log\"\n"; err != nil || !strings.Contains(string(text), line) {
			t.Errorf("%v, without %s\n%s", err, line, text)
		}
	}
}
