// Package fleet runs bench fleet against OpenSSH's own server, which the test starts on
// 127.0.0.1 with its own keys and configuration.
package fleet

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	// What the program consists of: after a change of it, go test does not show an
	// earlier result.
	_ "example.org/bench/algorithms"
	_ "example.org/bench/command"
	_ "example.org/bench/sensors"
	"example.org/bench/test/everyboard"
	"example.org/bench/test/program"
	"example.org/bench/test/sshd"
)

const (
	qemuVariable = "BENCH_QEMU_ARM64"
	rootVariable = "BENCH_ARM64_ROOT"
)

var bench string // the program; bench-arm64 is beside it, where every board is wanted

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-fleet-")
	if err != nil {
		panic(err)
	}
	bench = filepath.Join(dir, "bench")
	programs := map[string]string{"": bench}
	if everyboard.Wanted() {
		programs["arm64"] = bench + "-arm64"
	}
	for architecture, path := range programs {
		if err := program.Build("cmd/bench", architecture, path); err != nil {
			panic(err)
		}
	}
	os.Setenv("BENCH_PLOTS", "none")
	os.Setenv("STATE_DIRECTORY", filepath.Join(dir, "state")) // of the key of seals
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// shelf is a server with several boards, each behind a port of its own.
type shelf struct {
	dir    string // of keys and configuration; the boards' folder is below it
	hosts  []string
	server *sshd.Server
}

// boards starts a server whose hosts are these boards; those called arm… have the
// processor of a Jetson, under an emulator.
func boards(t *testing.T, hosts ...string) *shelf {
	t.Helper()
	if os.Getenv(sshd.Variable) == "" {
		t.Skipf("needs %s, the folder of OpenSSH's server: run tools/fetch-test-env and source .cache/env.sh", sshd.Variable)
	}
	if everyboard.Wanted() && os.Getenv(qemuVariable) == "" {
		t.Skipf("needs %s: run tools/fetch-test-env arm64 and source .cache/env.sh", qemuVariable)
	}
	s := &shelf{dir: t.TempDir(), hosts: hosts}
	var list []sshd.Host
	for _, name := range hosts {
		h := sshd.Host{Name: name, Variables: []string{"BENCH_PLOTS=none", "BENCH_LOCK=" + s.dir + "/" + name + ".lock", "LD_LIBRARY_PATH=" + os.Getenv("LD_LIBRARY_PATH")}}
		if strings.HasPrefix(name, "arm") {
			// The kernel starts no program of another processor: what bench fleet starts
			// is put behind the emulator.
			qemu := os.Getenv(qemuVariable) + " -L " + os.Getenv(rootVariable)
			h.Variables[2] = "BENCH_WORKER_PREFIX=" + qemu
			h.Command = filepath.Join(s.dir, name)
			text := "#!/bin/sh\ncase $SSH_ORIGINAL_COMMAND in 'uname -m') echo aarch64; exit;; esac\n" +
				`eval "$(printf %s "$SSH_ORIGINAL_COMMAND" | sed 's#\./bench #` + qemu + ` ./bench #g')"` + "\n"
			if err := os.WriteFile(h.Command, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, h)
	}
	var err error
	if s.server, err = sshd.New(s.dir, list, "", ""); err != nil {
		t.Fatal(err)
	}
	return s
}

// connect starts the server, and waits until it answers.
func (s *shelf) connect(t *testing.T) {
	t.Helper()
	t.Cleanup(s.server.Stop)
	if err := s.server.Start(); err != nil {
		t.Fatal(err)
	}
}

// fleet is a command of bench, whose output is collected.
type fleet struct {
	*exec.Cmd
	out *said
}

// said is what a command has said so far.
type said struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(b)
}

func (s *said) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// start starts bench fleet on all boards, with more words.
func (s *shelf) start(t *testing.T, dir string, words ...string) fleet {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	f := fleet{exec.CommandContext(ctx, bench, append([]string{"fleet"}, words...)...), &said{}}
	f.Env = append(os.Environ(), "PATH="+s.dir+":"+os.Getenv("PATH")) // with ssh as a user has configured it
	f.Dir, f.Stdout, f.Stderr = dir, f.out, f.out
	if err := f.Start(); err != nil {
		t.Fatal(err)
	}
	return f
}

// first are the words of a fleet's run on all boards.
func (s *shelf) first(config string, more ...string) []string {
	return append([]string{config, "--hosts", strings.Join(s.hosts, ","), "--folder", filepath.Join(s.dir, "boards"), "--out", "out"}, more...)
}

// pageCommands are the commands of a page that begin with these words.
func pageCommands(t *testing.T, page, begin string) (list [][]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	block := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "```") {
			block = !block
		} else if block && strings.HasPrefix(line, begin) {
			list = append(list, strings.Fields(line))
		}
	}
	return list
}

// status waits for the end.
func (f fleet) status(t *testing.T) int {
	t.Helper()
	if err := f.Wait(); err != nil && f.ProcessState == nil {
		t.Fatal(err)
	}
	return f.ProcessState.ExitCode()
}
