package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
)

// File is the file that keeps a fleet's run, in its folder.
const File = "fleet.json"

// boardsDir holds the results of each board, below the fleet's folder.
const boardsDir = "boards"

// Fleet is a fleet's run, as File keeps it.
type Fleet struct {
	SSH    []string `json:"ssh"`    // the words of OpenSSH's program
	Folder string   `json:"folder"` // on the boards
	// Configs are the files of Runs, absolute; Binaries programs for other processors.
	Configs  []string `json:"configs"`
	Binaries []string `json:"binaries,omitempty"`
	Runs     []jobRun `json:"runs"`
	Boards   []*Board `json:"boards"`
	// Seal shows that this user's bench wrote the file (package trust).
	Seal string `json:"seal,omitempty"`
	// Wrong gets lines for the user on what went wrong. If it is nil, New's or Open's say gets them.
	Wrong func(format string, args ...any) `json:"-"`

	dir     string
	folder  *safefile.Folder // dir, held from Run's or Open's start on
	own     bool             // File says nothing that this user's bench has not written
	mutex   sync.Mutex
	results map[string]int // that are here, by journal
	say     func(format string, args ...any)
}

// Board is one board's part of it.
type Board struct {
	Host string `json:"host"`
	Name string `json:"name"` // of its results' folder, and of its devices
	// Job is the folder there; empty until it is made. Sent is whether all is in it.
	Job   string `json:"job,omitempty"`
	Sent  bool   `json:"sent"`
	State State  `json:"state"`
	// Fetched is whether the results are here, and Left whether the folder may still be
	// there.
	Fetched bool `json:"fetched"`
	Left    bool `json:"left,omitempty"`
}

// Plan holds the parameters of New.
type Plan struct {
	SSH      []string
	Folder   string
	Hosts    []string
	Configs  []PlannedConfig
	Binaries []string // programs for other architectures
}

// PlannedConfig is a config with the prefix of its files and the flags of its run.
type PlannedConfig struct {
	Path, Prefix string
	Flags        []string
}

var unsafe = lazy.Regexp(`[^A-Za-z0-9_.-]`)

// New plans a fleet's run in dir, which has none yet. say gets lines for the user.
func New(dir string, p Plan, say func(string, ...any)) (*Fleet, error) {
	f := &Fleet{SSH: p.SSH, Folder: p.Folder, dir: dir, own: true, say: say}
	names := map[string]bool{}
	for _, h := range p.Hosts {
		if err := CheckHost(h); err != nil {
			return nil, err
		}
		name := unsafe().ReplaceAllString(h, "_")
		if names[name] {
			return nil, fmt.Errorf("host %s is named twice", h)
		}
		names[name] = true
		f.Boards = append(f.Boards, &Board{Host: h, Name: name})
	}
	prefixes := map[string]bool{}
	absolute := func(list *[]string, path string) error {
		full, err := filepath.Abs(path)
		*list = append(*list, full)
		return err
	}
	for _, b := range p.Binaries {
		if _, err := architectureOf(b); err != nil {
			return nil, err
		}
		if err := absolute(&f.Binaries, b); err != nil {
			return nil, err
		}
	}
	for i, c := range p.Configs {
		if err := absolute(&f.Configs, c.Path); err != nil {
			return nil, err
		}
		if prefixes[c.Prefix] {
			return nil, fmt.Errorf("%s: another config has the same output_file_prefix, %s: their results would be in one folder", c.Path, c.Prefix)
		}
		if err := checkFolderName(c.Prefix); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
		prefixes[c.Prefix] = true
		f.Runs = append(f.Runs, jobRun{c.Prefix, append([]string{path.Join("configs", fmt.Sprint(i), filepath.Base(c.Path))}, c.Flags...)})
	}
	return f, nil
}

// Open reads the fleet's run in dir, whether or not it has ended. The folder may be a
// stranger's: what names programs is obeyed only if this user's bench wrote it, or if it is given.
func Open(dir string, given Given, say func(string, ...any)) (*Fleet, error) {
	folder, err := safefile.OpenFolder(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, noFleet(dir)
	}
	if err != nil {
		return nil, err
	}
	f := &Fleet{dir: dir, folder: folder, say: say}
	f.own, err = readState(folder, File, f, func() string { by := f.Seal; f.Seal = ""; return by })
	if errors.Is(err, os.ErrNotExist) {
		err = noFleet(dir)
	} else if err == nil {
		if err = f.check(f.own, given); err != nil {
			err = fmt.Errorf("%s: %w", folder.Path(File), err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return f, nil
}

func noFleet(dir string) error {
	return fmt.Errorf("%s holds no fleet's run: there is no %s", dir, File)
}

// Holds reports whether there is a fleet's run in dir, whoever wrote it.
func Holds(dir string) bool { return holds(dir, File) }

func holds(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// Close lets go of the folder.
func (f *Fleet) Close() error {
	if f.folder == nil {
		return nil
	}
	return f.folder.Close()
}

// Dir returns where the fleet's folder is now.
func (f *Fleet) Dir() string {
	if f.folder == nil {
		return f.dir
	}
	return cmp.Or(f.folder.Now(), f.dir)
}

// save writes File. It puts no seal on what a stranger's File said.
func (f *Fleet) save() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.own {
		b, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return err
		}
		return f.folder.Write(File, bytes.NewReader(append(b, '\n')))
	}
	return writeState(f.folder, File, f, func(by string) { f.Seal = by })
}

// set changes what is kept of a board.
func (f *Fleet) set(b *Board, change func(*Board)) error {
	f.mutex.Lock()
	change(b)
	f.mutex.Unlock()
	return f.save()
}

func (f *Fleet) warn(format string, args ...any) {
	if f.Wrong == nil {
		f.say(format, args...)
		return
	}
	f.Wrong(format, args...)
}

// all calls do for every board at once.
func (f *Fleet) all(do func(*Board) error) error {
	failed := make([]error, len(f.Boards))
	var wait sync.WaitGroup
	for i, b := range f.Boards {
		wait.Go(func() { failed[i] = do(b) })
	}
	wait.Wait()
	return errors.Join(failed...)
}

// Run measures on every board, follows, fetches and cleans up. It goes on where an earlier
// Run was left. If ctx ends, the jobs on the boards go on.
func (f *Fleet) Run(ctx context.Context) error {
	if err := f.hold(); err != nil {
		return err
	}
	if err := f.save(); err != nil {
		return err
	}
	return f.all(func(b *Board) error {
		if b.Fetched {
			return f.cleanAgain(ctx, b)
		}
		if !b.Sent {
			if err := f.send(ctx, b); err != nil {
				return err
			}
		}
		if err := f.follow(ctx, b); err != nil {
			return err
		}
		return f.fetch(ctx, b)
	})
}

// hold holds the folder of a run that New has planned.
func (f *Fleet) hold() (err error) {
	if f.folder == nil {
		f.folder, err = safefile.MakeFolder(f.dir)
	}
	return err
}

// Status returns the worst exit status of the boards' runs.
func (f *Fleet) Status() (worst int) {
	for _, b := range f.Boards {
		worst = max(worst, b.State.Status)
	}
	return worst
}

func (f *Fleet) ssh(b *Board) ssh { return ssh{f.SSH, b.Host} }

// send copies the program, the configs and their files to the board, checks the
// version there, and starts the job.
func (f *Fleet) send(ctx context.Context, b *Board) error {
	if !f.own {
		return fmt.Errorf("%s: nothing is sent there: %s, which names the configs and programs, was not written by your bench; start the fleet's run anew in another folder", b.Host, f.folder.Path(File))
	}
	s := f.ssh(b)
	name, err := s.run(ctx, "uname -m", nil)
	if err != nil {
		return err
	}
	architecture := architectures[lastLine([]byte(name))]
	if architecture == "" {
		return fmt.Errorf("%s is a %s; want x86_64 or aarch64", b.Host, lastLine([]byte(name)))
	}
	open, from, err := program(architecture, f.Binaries)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Host, err)
	}
	files := map[string]string{}
	for i, c := range f.Configs {
		needed, err := filesOf(c)
		if err != nil {
			return err
		}
		for name, file := range needed {
			files[path.Join("configs", fmt.Sprint(i), name)] = file
		}
	}
	text, err := json.Marshal(job{Name: b.Name, Runs: f.Runs})
	if err != nil {
		return err
	}
	var random [4]byte
	rand.Read(random[:])
	folder := path.Join(f.Folder, fmt.Sprintf("%s-%s-%s", b.Name, time.Now().UTC().Format("20060102-150405"), hex.EncodeToString(random[:])))
	f.say("%s: %s to %s", b.Name, from, folder)
	binary, size, err := open()
	if err != nil {
		return err
	}
	defer binary.Close()
	if b.Job != "" {
		if err := f.clean(ctx, s, b.Job); err != nil {
			return err
		}
	}
	if err := f.set(b, func(b *Board) { b.Job = folder }); err != nil {
		return err
	}
	// Another user's program must not be run here, nor this one's results be changed.
	if err := f.push(ctx, s, folder, func(w io.Writer) error { return pack(w, binary, size, text, files) }); err != nil {
		return err
	}
	if err := checkVersion(ctx, s, folder); err != nil {
		return errors.Join(err, f.clean(ctx, s, folder))
	}
	return f.set(b, func(b *Board) { b.Sent = true })
}

// push unpacks on the board, by tar, what write writes.
func (f *Fleet) push(ctx context.Context, s ssh, folder string, write func(io.Writer) error) error {
	r, w := io.Pipe()
	failed := make(chan error, 1)
	go func() {
		err := write(w)
		w.CloseWithError(err)
		failed <- err
	}()
	_, err := s.run(ctx, "umask 077 && mkdir -p "+quote(folder)+" && cd "+quote(folder)+" && tar -xf -", r)
	r.Close()
	if written := <-failed; written != nil && !errors.Is(written, io.ErrClosedPipe) {
		return errors.Join(written, err)
	}
	return err
}

// checkVersion refuses a program that is not of this one's version.
func checkVersion(ctx context.Context, s ssh, folder string) error {
	said, err := s.run(ctx, "cd "+quote(folder)+" && ./"+programFile+" version --json", nil)
	if err != nil {
		return err
	}
	var there record.Tool
	start := strings.IndexByte(said, '{') // behind a board's greeting
	if start < 0 || json.Unmarshal([]byte(said[start:]), &there) != nil {
		return fmt.Errorf("%s: the program there does not say its version", s.host)
	}
	here := record.ThisTool()
	if there.Version != here.Version || there.Commit != here.Commit || there.Modified != here.Modified {
		return fmt.Errorf("%s: the program for it is version %s, this one is %s: build both from one tree", s.host, there, here)
	}
	return nil
}
