package linux

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestConfinement: a program, and what it starts, reaches what it is to and nothing else; the process
// that starts it reaches all as before.
func TestConfinement(t *testing.T) {
	if p := Protections(); p.Landlock < landlockTruncate || !p.Seccomp {
		if len(p.Missing()) == 0 {
			t.Fatalf("%+v lacks nothing", p)
		}
		t.Fatalf("CI's kernel is to confine: %v", p.Missing())
	}
	folder := t.TempDir()
	for _, name := range []string{"read", "write", "other"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "file"), []byte("content\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	within := &Confinement{
		Run: []string{"/usr", "/bin", "/lib", "/lib64"}, Read: []string{filepath.Join(folder, "read"), "/etc/ld.so.cache"},
		Write: []string{filepath.Join(folder, "write"), "/dev/null"},
	}
	for script, may := range map[string]bool{
		"cat read/file": true, "cat write/file": true, "cat other/file": false, "cat /etc/passwd": false, "ls other": false,
		"echo x >write/new": true, "mkdir write/below && echo x >write/below/new && mv write/below/new write/newer": true,
		"echo x >read/new": false, "echo x >>read/file": false, "echo x >other/new": false, ": >other/file": false, "rm other/file": false,
		"ln other/file write/linked": false, "mv read/file write/moved": false, "mkfifo write/pipe": false,
		"cp /bin/true write/program && write/program": false, "kill -CONT $PPID": Protections().Landlock < landlockScopes, "sleep 9 & kill $!": true,
	} {
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = folder
		said, err := Output(context.Background(), cmd, Limits{Within: within})
		if (err == nil) != may {
			t.Errorf("%s: %v: %s", script, err, said)
		}
	}
	of := &Confinement{Run: within.Run, Read: []string{"/proc"}, Write: []string{"/dev/null"}}
	said, err := Output(context.Background(), exec.Command("sed", "-n", "s/^CapEff:[[:space:]]*//p", "/proc/self/status"), Limits{Within: of})
	rights, wrong := strconv.ParseUint(strings.TrimSpace(string(said)), 16, 64)
	for _, c := range keptCapabilities {
		rights &^= 1 << c
	}
	if err != nil || wrong != nil || rights != 0 {
		t.Errorf("it has the rights %q: %v, %v", said, err, wrong)
	}
	if err := os.WriteFile(filepath.Join(folder, "other", "own"), nil, 0o666); err != nil {
		t.Errorf("the process itself: %v", err)
	}
	if out, err := exec.Command("cat", filepath.Join(folder, "other/file")).CombinedOutput(); err != nil {
		t.Errorf("its other programs: %v: %s", err, out)
	}
}

// TestFilterOfCalls: the filter's jumps lead into it, and it refuses what it is to.
func TestFilterOfCalls(t *testing.T) {
	for _, single := range []bool{false, true} {
		filter := refused(single)
		for i, f := range filter {
			if to := i + 1 + int(max(f.Jt, f.Jf)); to >= len(filter) && i < len(filter)-1 {
				t.Errorf("instruction %d of %d jumps to %d", i, len(filter), to)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		has  Protection
		want string
	}{{Protection{7, true}, ""}, {Protection{0, true}, "files"}, {Protection{1, true}, "truncating"}, {Protection{7, false}, "network"}} {
		if got := strings.Join(c.has.Missing(), "; "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.has, got, c.want)
		}
	}
}
