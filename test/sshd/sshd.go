//go:build linux

// Package sshd runs OpenSSH's own server on 127.0.0.1 for tests, with its own keys and configuration. It
// needs the server's folder in BENCH_SSH, from tools/fetch-test-env.
package sshd

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Variable names the environment variable with the folder of OpenSSH's server.
const Variable = "BENCH_SSH"

// Host is a name that the server answers to, on a port of its own.
type Host struct {
	Name      string
	Variables []string // NAME=VALUE, of all that is started there
	// Command is started there whatever is asked for, with that in SSH_ORIGINAL_COMMAND;
	// empty: what is asked for.
	Command string
}

// Server is a server and what its clients need.
type Server struct {
	dir   string
	ports []int
	cmd   *exec.Cmd // nil: does not run
}

// New writes keys and configurations into dir, and dir/ssh, a client that knows the
// hosts; client and server are more lines of the configurations.
func New(dir string, hosts []Host, client, server string) (*Server, error) {
	s := &Server{dir: dir}
	for _, key := range []string{"host", "user"} {
		keygen := exec.Command(tool("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key))
		keygen.Env = append(os.Environ(), libraries(keygen.Path))
		if out, err := keygen.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("ssh-keygen: %w\n%s", err, out)
		}
	}
	public, err := os.ReadFile(filepath.Join(dir, "user.pub"))
	if err != nil {
		return nil, err
	}
	here, there := client, fmt.Sprintf("HostKey %s/host\nAuthorizedKeysFile %s/authorized\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nMaxStartups 100\n", dir, dir)+server
	// From OpenSSH 9.8 on the server starts programs of its own, whose places are built in.
	for key, name := range map[string]string{"SshdSessionPath": "sshd-session", "SshdAuthPath": "sshd-auth"} {
		if path := filepath.Join(os.Getenv(Variable), "usr/lib/openssh", name); exists(path) {
			there += key + " " + path + "\n"
		}
	}
	for range hosts {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // once all have their ports
		s.ports = append(s.ports, l.Addr().(*net.TCPAddr).Port)
		there += fmt.Sprintf("ListenAddress 127.0.0.1:%d\n", s.ports[len(s.ports)-1])
	}
	for i, h := range hosts {
		here += fmt.Sprintf("Host %s\n  HostName 127.0.0.1\n  Port %d\n", h.Name, s.ports[i])
		there += fmt.Sprintf("Match LocalPort %d\n", s.ports[i])
		if h.Command != "" {
			there += fmt.Sprintf("  ForceCommand %s\n", h.Command)
		}
		if len(h.Variables) > 0 {
			there += fmt.Sprintf("  SetEnv \"%s\"\n", strings.Join(h.Variables, `" "`))
		}
	}
	here += fmt.Sprintf("Host *\n  IdentityFile %s/user\n  IdentitiesOnly yes\n  UserKnownHostsFile %s/known\n  StrictHostKeyChecking accept-new\n  Ciphers aes128-gcm@openssh.com\n  KexAlgorithms curve25519-sha256\n", dir, dir) // in hardware, as programs are large; and of one hash, as connections are many
	for _, f := range []struct {
		name, text string
		mode       os.FileMode
	}{
		{"authorized", string(public), 0o600}, {"sshd_config", there, 0o600}, {"ssh_config", here, 0o600},
		{"ssh", "#!/bin/sh\n" + libraries(tool("ssh")) + " exec " + tool("ssh") + " -F " + dir + "/ssh_config \"$@\"\n", 0o755},
	} {
		if err := os.WriteFile(filepath.Join(dir, f.name), []byte(f.text), f.mode); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// tool is one of OpenSSH's programs: the system's, or that which was fetched.
func tool(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return filepath.Join(os.Getenv(Variable), "usr/bin", name)
}

// libraries is the variable with which a program that was fetched finds what was fetched
// with it; the system's own needs none. Older releases have some below /lib.
func libraries(program string) string {
	root := os.Getenv(Variable)
	if !strings.HasPrefix(program, root) {
		return "LD_LIBRARY_PATH="
	}
	return fmt.Sprintf("LD_LIBRARY_PATH=%s/usr/lib/x86_64-linux-gnu:%s/lib/x86_64-linux-gnu", root, root)
}

// Start starts the server, and waits until it answers.
func (s *Server) Start() error {
	root := os.Getenv(Variable)
	words := []string{filepath.Join(root, "usr/sbin/sshd"), "-D", "-e", "-f", filepath.Join(s.dir, "sshd_config")}
	if os.Getuid() == 0 {
		// For root the server wants a user and a folder of its own: it sees them, and
		// nobody else.
		script := `set -e; mkdir -p "$0/home"; sed "s#^root:.*#root:*:0:0::$0/home:/bin/sh#" /etc/passwd >"$0/passwd"; echo 'sshd:*:65533:65534::/run/sshd:/bin/false' >>"$0/passwd"
			mount --bind "$0/passwd" /etc/passwd; mount -t tmpfs none /run; mkdir -m 755 /run/sshd; exec "$@"`
		words = append([]string{"unshare", "-m", "sh", "-c", script, s.dir}, words...)
	}
	var said bytes.Buffer
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), libraries(filepath.Join(root, "usr/sbin/sshd")))
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd = cmd
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	for {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.ports[len(s.ports)-1])); err == nil {
			return c.Close()
		}
		select {
		case <-ended:
			return fmt.Errorf("sshd ended: %s", said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the server and its connections, and nothing that was started by them.
func (s *Server) Stop() {
	if s.cmd == nil {
		return
	}
	for _, pid := range Descendants(s.cmd.Process.Pid) {
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil && strings.HasPrefix(string(name), "sshd") { // also sshd-session and sshd-auth, of 9.8 on
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	s.cmd = nil
}

// Descendants returns a process and those that it started, as far as they are not adopted.
func Descendants(pid int) (list []int) {
	list = []int{pid}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is good
	for _, path := range threads {
		children, _ := os.ReadFile(path) // it may have ended
		for _, word := range strings.Fields(string(children)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, Descendants(child)...)
			}
		}
	}
	return list
}
