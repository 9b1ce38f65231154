package fleet

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/textfile"
)

// checkLogFolder refuses a folder whose name an option of sbatch in a script cannot hold. An
// option in quotation marks holds anything but quotation marks, escapes and line ends.
func checkLogFolder(dir string) error {
	for _, r := range dir {
		if r < ' ' || r == 0x7f || r == '"' || r == '\\' {
			return fmt.Errorf("%q cannot be in a job script: want a folder without %q in its name", dir, r)
		}
	}
	return nil
}

// ArrayOptions returns options of sbatch: first those of the file profile, unless its name is
// empty, then more. A profile has an option on each line, and comments (#).
func ArrayOptions(profile string, more []string) (list []string, err error) {
	if profile != "" {
		text, err := bounded.ReadFile(profile, bounded.MostText)
		if err != nil {
			return nil, err
		}
		if text, err = textfile.Plain(text); err != nil {
			return nil, fmt.Errorf("%s: %w", profile, err)
		}
		list = parseProfile(string(text))
	}
	list = append(list, more...)
	for _, o := range list {
		if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
			return nil, fmt.Errorf("%q is no option of sbatch; want one such as --partition=gpu", o)
		}
	}
	return list, nil
}

// parseProfile reads options of sbatch, one a line, with comments.
func parseProfile(text string) (list []string) {
	for text := range strings.Lines(text) {
		if line := strings.TrimSpace(text); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// OpenArray reads the run in dir, which may be a stranger's; os.ErrNotExist where there is
// none.
func OpenArray(dir string, say func(string, ...any)) (*Array, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	folder, err := safefile.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	a := &Array{dir: dir, held: folder, say: say}
	if err := a.read(); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return a, nil
}

// read reads the file, and refuses one that NewArray cannot have written.
func (a *Array) read() (err error) {
	a.Tasks, a.Scripts = nil, nil
	if a.own, err = readState(a.held, ArrayFile, a, func() string { by := a.Seal; a.Seal = ""; return by }); err != nil {
		return err
	}
	if err := a.check(); err != nil {
		return fmt.Errorf("%s: %w", a.held.Path(ArrayFile), err)
	}
	return nil
}

var (
	jobNumber  = lazy.Regexp(`^[0-9]*$`)
	scriptFile = lazy.Regexp(`^job-[0-9]+\.sh$`)
)

func (a *Array) check() error {
	for _, t := range a.Tasks {
		if err := checkFolderName(t.Prefix); err != nil {
			return err
		}
	}
	for _, s := range a.Scripts {
		if !scriptFile().MatchString(s.File) || !jobNumber().MatchString(s.Job) {
			return fmt.Errorf("has a script %q of job %q; want such as job-1.sh, and a number", s.File, s.Job)
		}
		for _, n := range s.Tasks {
			if n < 0 || n >= len(a.Tasks) {
				return fmt.Errorf("has no task %d of %s", n, s.File)
			}
		}
	}
	return nil
}

// ready refuses to start what this user's bench has not written: programs, their arguments,
// and options of sbatch.
func (a *Array) ready() error {
	if !a.own {
		return fmt.Errorf("%s, which names the program, its arguments and sbatch's options, was not written by your bench: it submits nothing; start the run anew in another folder", a.held.Path(ArrayFile))
	}
	scripts, err := a.held.Folder(scriptsDir)
	if err != nil {
		return err
	}
	defer scripts.Close()
	if a.Program != filepath.Join(a.dir, scriptsDir, programFile) {
		return fmt.Errorf("%s is of a run in another folder: its program is %s", a.held.Path(ArrayFile), a.Program)
	}
	if text, err := scripts.ReadFile(programFile, mostProgram); err != nil || fmt.Sprintf("%x", sha256.Sum256(text)) != a.Sum {
		return fmt.Errorf("%s is not the program that this run was begun with: %w", a.Program, cmp.Or(err, errors.New("its SHA-256 is another")))
	}
	for _, s := range a.Scripts {
		if s.Job != "" {
			continue
		}
		text, err := scripts.ReadFile(s.File, bounded.MostText)
		if errors.Is(err, os.ErrNotExist) {
			err = scripts.WriteProgram(s.File, strings.NewReader(a.text(s)))
		} else if err == nil && string(text) != a.text(s) {
			err = fmt.Errorf("%s is no longer as it was written: submit it with sbatch yourself, or remove it, and it is written anew", scripts.Path(s.File))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *Array) save() error {
	return writeState(a.held, ArrayFile, a, func(by string) { a.Seal = by })
}

// HoldsArray reports whether there is a cluster's run in dir, whoever wrote it.
func HoldsArray(dir string) bool { return holds(dir, ArrayFile) }
