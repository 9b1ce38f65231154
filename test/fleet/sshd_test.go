// Package fleet runs bench fleet against OpenSSH's own server, which the test starts on
// 127.0.0.1 with its own keys and configuration.
package fleet

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	// What the program consists of: after a change of it, go test does not show an
	// earlier result.
	_ "bench/algorithms"
	_ "bench/command"
	_ "bench/sensors"
	"bench/test/program"
)

const (
	sshVariable  = "BENCH_SSH"
	qemuVariable = "BENCH_QEMU_ARM64"
	rootVariable = "BENCH_ARM64_ROOT"
)

var bench string // the program; bench-arm64 is beside it

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-fleet-")
	if err != nil {
		panic(err)
	}
	bench = filepath.Join(dir, "bench")
	for architecture, path := range map[string]string{"": bench, "arm64": bench + "-arm64"} {
		if err := program.Build("cmd/bench", architecture, path); err != nil {
			panic(err)
		}
	}
	os.Setenv("BENCH_PLOTS", "none")
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// shelf is a server with several boards, each behind a port of its own.
type shelf struct {
	dir    string // of keys and configuration; the boards' folder is below it
	hosts  []string
	ports  []int
	server *exec.Cmd
}

// boards starts a server whose hosts are these boards; those called arm… have the
// processor of a Jetson, under an emulator.
func boards(t *testing.T, hosts ...string) *shelf {
	t.Helper()
	if os.Getenv(sshVariable) == "" || os.Getenv(qemuVariable) == "" {
		t.Skipf("needs %s, the folder of OpenSSH's server, and %s: run tools/fetch-test-env and source .cache/env.sh", sshVariable, qemuVariable)
	}
	s := &shelf{dir: t.TempDir(), hosts: hosts}
	for _, key := range []string{"host", "user"} {
		command(t, tool("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(s.dir, key))
	}
	public, err := os.ReadFile(filepath.Join(s.dir, "user.pub"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "authorized", string(public), 0o600)
	var server, client strings.Builder
	fmt.Fprintf(&server, "HostKey %s/host\nAuthorizedKeysFile %s/authorized\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nMaxStartups 100\n", s.dir, s.dir)
	for range hosts {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // until all have their ports
		s.ports = append(s.ports, l.Addr().(*net.TCPAddr).Port)
		fmt.Fprintf(&server, "ListenAddress 127.0.0.1:%d\n", s.ports[len(s.ports)-1])
	}
	for i, h := range hosts {
		fmt.Fprintf(&client, "Host %s\n  HostName 127.0.0.1\n  Port %d\n", h, s.ports[i])
		variables := fmt.Sprintf(`"BENCH_PLOTS=none" "BENCH_LOCK=%s/%s.lock" "LD_LIBRARY_PATH=%s"`, s.dir, h, os.Getenv("LD_LIBRARY_PATH"))
		fmt.Fprintf(&server, "Match LocalPort %d\n", s.ports[i])
		if strings.HasPrefix(h, "arm") {
			// The kernel starts no program of another processor: what bench fleet starts
			// is put behind the emulator.
			qemu := os.Getenv(qemuVariable) + " -L " + os.Getenv(rootVariable)
			variables = fmt.Sprintf(`"BENCH_PLOTS=none" "BENCH_LOCK=%s/%s.lock" "BENCH_WORKER_PREFIX=%s"`, s.dir, h, qemu)
			s.write(t, h, "#!/bin/sh\ncase $SSH_ORIGINAL_COMMAND in 'uname -m') echo aarch64; exit;; esac\n"+
				`eval "$(printf %s "$SSH_ORIGINAL_COMMAND" | sed 's#\./bench #`+qemu+` ./bench #g')"`+"\n", 0o755)
			fmt.Fprintf(&server, "  ForceCommand %s/%s\n", s.dir, h)
		}
		fmt.Fprintf(&server, "  SetEnv %s\n", variables)
	}
	fmt.Fprintf(&client, "Host *\n  IdentityFile %s/user\n  IdentitiesOnly yes\n  UserKnownHostsFile %s/known\n  StrictHostKeyChecking accept-new\n  Ciphers aes128-gcm@openssh.com\n", s.dir, s.dir) // a cipher in hardware: the program is large
	s.write(t, "ssh", "#!/bin/sh\nexec "+tool("ssh")+" -F "+s.dir+"/ssh_config \"$@\"\n", 0o755)
	s.write(t, "sshd_config", server.String(), 0o600)
	s.write(t, "ssh_config", client.String(), 0o600)
	return s
}

// tool is one of OpenSSH's programs: the system's, or that which was fetched.
func tool(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return filepath.Join(os.Getenv(sshVariable), "usr/bin", name)
}

func (s *shelf) write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func command(t *testing.T, words ...string) {
	t.Helper()
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", words, err, out)
	}
}

// connect starts the server, and waits until it answers.
func (s *shelf) connect(t *testing.T) {
	t.Helper()
	root := os.Getenv(sshVariable)
	words := []string{filepath.Join(root, "usr/sbin/sshd"), "-D", "-e", "-f", filepath.Join(s.dir, "sshd_config")}
	if os.Getuid() == 0 {
		// For root the server wants a user and a folder of its own: it sees them, and
		// nobody else.
		script := `set -e; mkdir -p "$0/home"; sed "s#^root:.*#root:*:0:0::$0/home:/bin/sh#" /etc/passwd >"$0/passwd"; echo 'sshd:*:65533:65534::/run/sshd:/bin/false' >>"$0/passwd"
			mount --bind "$0/passwd" /etc/passwd; mount -t tmpfs none /run; mkdir -m 755 /run/sshd; exec "$@"`
		words = append([]string{"unshare", "-m", "sh", "-c", script, s.dir}, words...)
	}
	var said bytes.Buffer
	s.server = exec.Command(words[0], words[1:]...)
	s.server.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(root, "usr/lib/x86_64-linux-gnu"))
	s.server.Stderr = &said
	if err := s.server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.disconnect)
	server := s.server
	ended := make(chan struct{})
	go func() { server.Wait(); close(ended) }()
	for {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.ports[len(s.ports)-1])); err == nil {
			c.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("sshd ended: %s", said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// disconnect ends the server and its connections, and nothing that was started by them.
func (s *shelf) disconnect() {
	if s.server == nil {
		return
	}
	for _, pid := range descendants(s.server.Process.Pid) {
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil && strings.TrimSpace(string(name)) == "sshd" {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	s.server = nil
}

// descendants are a process and those that it started, as far as they are not adopted.
func descendants(pid int) (list []int) {
	list = []int{pid}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is good
	for _, path := range threads {
		children, _ := os.ReadFile(path) // it may have ended
		for _, word := range strings.Fields(string(children)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, descendants(child)...)
			}
		}
	}
	return list
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
