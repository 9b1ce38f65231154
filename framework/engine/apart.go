package engine

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/linux"
)

// Untrusted foreign code runs in a worker that is confined from its start. Another worker, its
// keeper, has what the confined one must not have: seeds, right answers, files and compilers. The
// confined worker asks the keeper on two pipes.

// Descriptors of the pipes, the same in both processes.
const (
	questionsFD = 5
	answersFD   = 6
)

// talk is one end of both pipes.
type talk struct {
	io.Reader
	io.WriteCloser
}

// keeperTalk returns the keeper's end, workerTalk the confined worker's.
func keeperTalk() talk {
	return talk{os.NewFile(questionsFD, "questions"), os.NewFile(answersFD, "answers")}
}

func workerTalk() talk {
	return talk{os.NewFile(answersFD, "answers"), os.NewFile(questionsFD, "questions")}
}

// startApart launches a confined worker on these CPUs, with its keeper.
func startApart(cpus machine.CPUs) (*process, error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			files = append(files, r, w)
		}
		return r, w, err
	}
	asked, ask, err := pipe()
	if err != nil {
		return nil, err
	}
	hear, told, err := pipe()
	if err != nil {
		return nil, err
	}
	temporary := newScratch()
	keeper, err := launch(&launching{extra: []*os.File{asked, told}, scratch: temporary, shared: true})
	if err != nil {
		temporary.remove()
		return nil, err
	}
	linux.Limit(keeper.group, linux.Limits{MemoryBytes: mostMemory()})
	within, err := confinement(temporary)
	var p *process
	if err == nil {
		p, err = launch(&launching{cpus: cpus, extra: []*os.File{ask, hear}, scratch: temporary, within: within, keeper: keeper})
	}
	if err != nil {
		keeper.kill()
		temporary.remove()
		return nil, fmt.Errorf("start a confined worker: %w", err)
	}
	go p.watch(temporary.path, folderBytes)
	return p, nil
}

// libraries are the paths of a worker's libraries, and of what these read of the machine.
var libraries = []string{
	"/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/local/lib", "/usr/share/zoneinfo", "/usr/share/locale",
	"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime",
	"/sys/devices", "/sys/class", "/sys/kernel/mm", "/sys/fs/cgroup",
	"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/version", "/proc/sys/kernel", "/proc/sys/vm",
	"/dev/urandom", "/dev/zero",
}

// confinement returns what a worker with a folder for temporary files may reach.
func confinement(temporary *scratch) (*linux.Confinement, error) {
	self, err := program()
	if err != nil {
		return nil, err
	}
	c := &linux.Confinement{Read: libraries, Run: []string{fmt.Sprintf("/proc/self/fd/%d", self.Fd())}, Write: []string{"/dev/null"}}
	for _, folder := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		if filepath.IsAbs(folder) {
			c.Read = append(c.Read[:len(c.Read):len(c.Read)], folder)
		}
	}
	if temporary.path != "" {
		c.Grow = append(c.Grow, temporary.path)
	}
	loader, err := loaderOf(self)
	if loader != "" {
		c.Run = append(c.Run, loader)
	}
	return c, err
}

// loaderOf returns the dynamic loader that a program names, or "".
func loaderOf(file *os.File) (string, error) {
	f, err := elf.NewFile(file)
	if err != nil {
		return "", err
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name := make([]byte, p.Filesz)
			_, err := p.ReadAt(name, 0)
			return strings.TrimRight(string(name), "\x00"), err
		}
	}
	return "", nil
}

const (
	// memoryShare is the largest share of the machine's memory that a confined worker may take.
	memoryShare = 0.75
	// spaceBeside is for address space that takes no memory.
	spaceBeside = 4 << 30
	// mostThreads is how many threads a confined worker may have.
	mostThreads = 1024
	// threadsBeside is how many threads of the user may be added to those of the machine before they are
	// counted. The kernel's bound is that of the user, the same for every worker: one worker that takes too
	// many leaves the others enough.
	threadsBeside = 8 * mostThreads
	// fileBytes is the size of the largest file of a confined worker.
	fileBytes = 256 << 20
)

// mostMemory returns the limit for the address space of a confined worker, and of its keeper, of which the
// worker may ask much; 0 means no limit.
func mostMemory() uint64 {
	if total := machineMemory().total; total > 0 {
		return uint64(memoryShare*float64(total)) + spaceBeside
	}
	return 0
}

// bind limits a confined worker. When memory runs out, it is the first to be killed.
func bind(pid int) {
	linux.Limit(pid, linux.Limits{FileBytes: fileBytes, Threads: threadsBeside, MemoryBytes: mostMemory()})
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0) // it may have ended
}

// otherSeed derives a seed for randomness in a confined worker that does not reveal the keeper's.
func otherSeed(seed uint64) uint64 {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("order of a confined worker "), seed))
	return binary.LittleEndian.Uint64(sum[:])
}

// forConfined returns the setup without what a confined worker must not know.
func (s *setup) forConfined() *setup {
	c := *s
	c.Confined, c.Seed, c.Dump = true, otherSeed(s.Seed), ""
	config := *s.Config
	config.Closed = true
	c.Config = &config
	return &c
}

// beginKeeping sets up a worker's keeper, if there is one, and returns the setup for the worker.
func (e *Engine) beginKeeping(ctx context.Context, p *process) (*setup, error) {
	s := e.setup()
	if p.keeper == nil {
		return s, nil
	}
	rep, err := p.keeper.ask(request{Op: "keep", Device: e.opt.SpareFor, Process: p.group, Setup: s}, probeTimeout, ctx.Done(), func(*reply) {})
	if err == nil && rep.Error != "" {
		err = fmt.Errorf("%s", rep.Error)
	}
	return s.forConfined(), err
}

// Kept is what a keeper reports about the answers to the problem that it was last asked about.
type Kept struct {
	// Answers is how many answers it compared, and Wrong the fault of the first wrong one, since it
	// was last asked.
	Answers int    `json:"answers"`
	Wrong   string `json:"wrong,omitempty"`
}

// confirmTime is how long a keeper may take to report.
const confirmTime = 10 * time.Second

// confirm makes a result wrong if its worker calls it right and its keeper does not.
func (e *Engine) confirm(ctx context.Context, rep *reply) error {
	keeper := e.worker.keeper
	if keeper == nil || rep.Result == nil && rep.Turns == nil {
		return nil
	}
	said, err := keeper.ask(request{Op: "kept"}, confirmTime, ctx.Done(), func(*reply) {})
	if err != nil {
		return err
	}
	why := ""
	switch {
	case said.Kept == nil:
	case said.Kept.Wrong != "":
		why = "its process calls right what is not: " + said.Kept.Wrong
	case said.Kept.Answers == 0:
		why = "its process calls right what it did not show"
	}
	if r := rep.Result; why != "" && r != nil && r.Status == record.OK {
		r.Status, r.Reason = record.Wrong, why
		r.Cold, r.Hot, r.Rate, r.Energy = nil, nil, nil, nil
	}
	if t := rep.Turns; why != "" && t != nil && t.Status == record.OK {
		t.Status, t.Reason = record.Wrong, why
	}
	return nil
}
