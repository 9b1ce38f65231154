//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/tools/txtar"

	"example.org/bench/test/sshd"
)

// bound is the time within which every process must end, stopped ones aside: twice what
// the longest request of quick may take, a pair's, which is three times point_timeout_s.
// What it waits for a processor on a busy machine does not count, up to ten times as
// much.
const bound = 6 * time.Minute

// scene is a folder with configs, a home and a board of its own, in which the
// program under test is started any number of times.
type scene struct {
	trial
	dir     string
	mark    string // in the environment of all that is started here
	env     []string
	said    []string // transcript
	faults  []string
	kills   int  // signals that may cost a point
	sigkill bool // a file may be left unfinished
	mounted string
	user    *syscall.Credential
}

// trial says what is done: its name is enough to do it again.
type trial struct {
	name string // "kill/12", "fault/run/openat journal.jsonl/1/EIO"
	rng  *rand.Rand
	host *host
	// ceilings has runs measure what the devices can do, which takes most of their time.
	ceilings bool
}

// host is what all scenes share.
type host struct {
	program string // test/faulty/program
	self    string
	root    string // of the repository
	folder  string // of the scenes
	env     []string
	// ceilings has runs measure what the devices can do, which takes most of their time.
	ceilings bool

	mu       sync.Mutex          // of what is found once
	patterns map[string]*scene   // by verb
	outcomes map[string]*outcome // by verb
	server   *sshd.Server        // nil: not needed yet
	calls    map[fault]string    // of the driver, by site: what the stand-in calls them
}

// emptyScene has a folder without files.
func emptyScene(t trial) (*scene, error) {
	dir, err := os.MkdirTemp(t.host.folder, "scene-")
	if err != nil {
		return nil, err
	}
	s := &scene{trial: t, dir: dir, mark: "TORTURE_SCENE=" + dir}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !strings.HasPrefix(name, "XDG_") && !slices.Contains([]string{"HOME", "TMPDIR", "PATH", "LD_LIBRARY_PATH", "BENCH_NVRTC"}, name) {
			s.env = append(s.env, e)
		}
	}
	s.env = append(append(s.env, s.host.env...), s.mark, "HOME="+at("home"), "TMPDIR="+at("tmp"), "PATH="+at("bin")+":"+os.Getenv("PATH"), "BENCH_TREE="+at("tree"), "STATE_DIRECTORY="+at("state"))
	return s, nil
}

func newScene(t trial) (*scene, error) {
	s, err := emptyScene(t)
	if err != nil {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(s.dir, name) }
	files := map[string]string{}
	for name, text := range own {
		if !t.ceilings {
			text = strings.Replace(text, `"measure": {`, `"measure": {"ceilings": false, `, 1)
		}
		files[name] = text
	}
	board, err := txtar.ParseFile(filepath.Join(s.host.root, "framework/powermode/testdata/jetson-tx2-l4t28.txtar"))
	if err != nil {
		return nil, err
	}
	for _, f := range board.Files {
		files["tree/"+f.Name] = string(f.Data)
	}
	for _, folder := range []string{"home", "tmp", "bin", "state"} {
		if err := os.MkdirAll(at(folder), 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range files {
		if err := s.write(name, text); err != nil {
			return nil, err
		}
	}
	nvpmodel, err := os.ReadFile(filepath.Join(s.host.root, "test/tree/bin/nvpmodel"))
	if err != nil {
		return nil, err
	}
	return s, os.WriteFile(at("bin/nvpmodel"), nvpmodel, 0o755)
}

const quick = `"sensors": [], "measure": {"min_time_s": 0.001, "min_samples": 3, "timeout_s": 0.02, "point_timeout_s": 60, "cooldown_s": 0}`

// own are a scene's own files by name.
var own = map[string]string{
	"run.json":   `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "run", "sweep_arg": {"ms": [1, 2, 3, 4]}, ` + quick + `}`,
	"modes.json": `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "modes", "sweep_arg": {"ms": [1, 2]}, ` + quick + `}`,
	"tune.json":  `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "x", "tunables": {"A": [1, 2, 3], "B": [1, 2, 3]}, "sweep_arg": {"ms": [1]}, ` + quick + `}`,
	"ab.json":    `{"algorithm": "faulty", "versions": ["good", "slower"], "output_file_prefix": "ab", "sweep_arg": {"ms": [1]}, ` + quick + `}`,
	"gpu.json": `{"algorithm": {"cuda": {"source": "k.cu", "params": [{"name": "N", "default": 1024}],
		"arguments": [{"name": "cycles", "type": "i64", "value": 20000}, {"name": "y", "type": "f32", "size": "N", "use": "output", "fill": {"constant": 0}}],
		"kernels": [{"name": "work", "grid": "N/BLOCK", "block": "BLOCK"}], "tunables": [{"name": "BLOCK", "values": [128, 256], "default": 256}],
		"verify": {"files": {"y": "y.bin"}}}}, "output_file_prefix": "gpu", ` + quick + `}`,
	"k.cu":      `extern "C" __global__ void work(long long cycles, float *y) { if (threadIdx.x < cycles) y[blockIdx.x * BLOCK + threadIdx.x] = 0; }`,
	"y.bin":     strings.Repeat("\x00", 4096),
	"space.csv": "X,Y,time_ms,status\n1,1,2,valid\n1,2,1.5,valid\n2,1,1,valid\n2,2,,invalid\n",
	"other.csv": "X,Y,time_ms,status\n1,1,1,valid\n1,2,2.5,valid\n2,1,3,valid\n2,2,2,valid\n",
}

func (s *scene) write(name, text string) error {
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if target, link := strings.CutPrefix(text, "-> "); link {
		return os.Symlink(strings.TrimSpace(target), path)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func (s *scene) failf(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// remove ends what is left and removes the folder.
func (s *scene) remove() {
	for _, pid := range s.processes() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	if s.mounted != "" {
		syscall.Unmount(s.mounted, syscall.MNT_DETACH)
	}
	os.RemoveAll(s.dir)
}

// started is a process of the program under test.
type started struct {
	*exec.Cmd
	out    *os.File
	ended  chan struct{}
	status int // -1: ended by a signal
	text   string
}

// command prepares the program; its output goes to a file, so that nothing that
// it leaves behind keeps it open.
func (s *scene) command(args ...string) (*started, error) {
	out, err := os.CreateTemp(s.host.folder, "out-")
	if err != nil {
		return nil, err
	}
	os.Remove(out.Name())
	c := exec.Command(s.host.program, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = s.dir, s.env, out, out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: s.user}
	return &started{Cmd: c, out: out, ended: make(chan struct{})}, nil
}

func (s *scene) start(args ...string) (*started, error) {
	c, err := s.command(args...)
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.Wait()
		close(c.ended)
	}()
	return c, nil
}

// finish waits for the end and checks what holds of every end.
func (s *scene) finish(c *started) {
	if !s.ends(c.ended) {
		s.failf("%q has not ended after %v", c.Args[1:], bound)
		syscall.Kill(-c.Process.Pid, syscall.SIGABRT)
		<-c.ended
	}
	s.after(c)
}

// ends waits for an end within the bound.
func (s *scene) ends(ended <-chan struct{}) bool {
	begun, left := time.Now(), bound
	for waited := s.waited(); left > 0 && time.Since(begun) < 10*bound; {
		turn := time.Now()
		select {
		case <-ended:
			return true
		case <-time.After(20 * time.Second):
		}
		now := s.waited()
		left -= time.Since(turn) - min(max(0, now-waited), time.Since(turn))
		waited = now
	}
	return false
}

// waited is how long the threads of the scene's processes have waited for a
// processor, together.
func (s *scene) waited() (total time.Duration) {
	for _, pid := range s.processes() {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, name := range threads {
			var ran, waited int64
			text, _ := os.ReadFile(name)
			if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
				total += time.Duration(waited)
			}
		}
	}
	return total
}

func (s *scene) after(c *started) {
	c.status = c.ProcessState.ExitCode()
	text := make([]byte, 1<<20)
	n, _ := c.out.ReadAt(text, 0)
	c.text = string(text[:n])
	c.out.Close()
	s.said = append(s.said, fmt.Sprintf("$ bench %s\n%s[%v]", strings.Join(c.Args[1:], " "), c.text, c.ProcessState))
	if trace := regexp.MustCompile(`(?m)^(panic: |goroutine \d+|fatal error: |runtime: |SIG[A-Z]+: ).*`).FindString(c.text); trace != "" {
		s.failf("%q left Go's trace: %s", c.Args[1:], trace)
	}
	documented := []int{-1, 0, 1, 2, 130}
	if c.Args[1] == "history" {
		documented = append(documented, 3, 4)
	}
	if loaded(c) && !slices.Contains(documented, c.status) {
		s.failf("%q ended with status %d, which is not documented", c.Args[1:], c.status)
	}
	if (c.status == 1 || c.status == 2) && strings.TrimSpace(c.text) == "" {
		s.failf("%q ended with status %d and without a line", c.Args[1:], c.status)
	}
}

// loaded: the system found all that the program needs before its main.
func loaded(c *started) bool {
	return !strings.Contains(c.text, "error while loading shared libraries")
}

// do starts the program and waits for its end.
func (s *scene) do(args ...string) (*started, error) {
	c, err := s.start(args...)
	if err == nil {
		s.finish(c)
	}
	return c, err
}

// processes are those of this scene that live.
func (s *scene) processes() (list []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && slices.Contains(strings.Split(string(env), "\x00"), s.mark) {
			list = append(list, pid)
		}
	}
	return list
}

// workers are those of this scene's processes that measure.
func (s *scene) workers() (list []int) {
	for _, pid := range s.processes() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.HasSuffix(strings.TrimRight(string(line), "\x00"), "\x00worker") {
			list = append(list, pid)
		}
	}
	return list
}

// alone fails where a process is left. What is killed needs a moment to go.
func (s *scene) alone() {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		left := s.processes()
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", left[0]))
			s.failf("processes %v are left; the first is %q", left, line)
			return
		}
	}
}

// files are the names below the scene's folder, without the board and what the
// scene brought.
func (s *scene) files() (list []string) {
	filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(s.dir, path)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case name == "tree" || name == "bin" || name == "calls":
			return fs.SkipDir
		case err == nil && !e.IsDir() && own[name] == "":
			list = append(list, name)
		case err == nil && e.IsDir() && strings.HasPrefix(name, "tmp/"):
			list = append(list, name)
		}
		return nil
	})
	return list
}
