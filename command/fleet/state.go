package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/textfile"
	"example.org/bench/internal/trust"
)

// DefaultSSH and DefaultFolder are the words of OpenSSH's program, and the folder on the
// boards, that are obeyed whoever wrote File.
const (
	DefaultSSH    = "ssh"
	DefaultFolder = ".cache/bench-fleet"
)

// Given is what a person says of a fleet's run. For an empty field, File's counts.
type Given struct {
	SSH    []string
	Folder string
}

// readState reads a state from a folder that people may have sent each other. It is an error
// if others can change the file. own is whether this user's bench wrote it: seal takes the
// seal out of the state.
func readState(dir *safefile.Folder, name string, state any, seal func() string) (own bool, err error) {
	if info, err := dir.Lstat(name); err != nil {
		return false, err
	} else if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%s is not an ordinary file", dir.Path(name))
	}
	f, err := linux.OpenIn(dir.Root(), name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if err := trust.Self().Check(dir.Path(name)); err != nil {
		return false, err
	}
	text, err := bounded.ReadAll(f, dir.Path(name), bounded.MostDocument)
	if err != nil {
		return false, err
	}
	if text, err = textfile.Plain(text); err == nil {
		err = bounded.UnmarshalKept(text, state)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", dir.Path(name), err)
	}
	by := seal()
	if text, err = json.Marshal(state); err != nil {
		return false, err
	}
	if own = trust.Sealed(text, by); !own {
		bounded.OneLine(state) // the words of one's own run are kept as they were given
	}
	return own, nil
}

// writeState writes a state with its seal, which set puts into it. Where there can be no
// seal it is written without one, and is nobody's.
func writeState(dir *safefile.Folder, name string, state any, set func(seal string)) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if by, err := trust.Seal(text); err == nil {
		set(by)
		defer set("")
	}
	if text, err = json.MarshalIndent(state, "", "  "); err != nil {
		return err
	}
	return dir.Write(name, bytes.NewReader(append(text, '\n')))
}

// check refuses a File that New cannot have made: a host that is an option, names and prefixes
// that are paths, folders on boards that are no job's. What names programs is obeyed if it
// is the default, if own says that this user's bench wrote it, or if it is given anew.
func (f *Fleet) check(own bool, given Given) error {
	if len(f.Boards) == 0 {
		return errors.New("names no board")
	}
	switch {
	case len(given.SSH) > 0:
		f.SSH = given.SSH
	case !own && !slices.Equal(f.SSH, []string{DefaultSSH}):
		return fmt.Errorf("names the program %q for ssh, and was not written by your bench: --ssh says which is to be started", f.SSH)
	case len(f.SSH) == 0:
		return errors.New("names no program for ssh: --ssh says which is to be started")
	}
	switch {
	case given.Folder != "":
		f.Folder = given.Folder
	case !own && f.Folder != DefaultFolder:
		return fmt.Errorf("names the folder %q on the boards, and was not written by your bench: --folder says which it is", f.Folder)
	}
	seen := map[string]bool{}
	for _, b := range f.Boards {
		if b == nil {
			return errors.New("has a board without a name")
		}
		if err := CheckHost(b.Host); err != nil {
			return err
		}
		if want := unsafe().ReplaceAllString(b.Host, "_"); b.Name != want {
			return fmt.Errorf("calls host %s %q; want %s", b.Host, b.Name, want)
		}
		if seen[b.Name] {
			return fmt.Errorf("host %s is named twice", b.Host)
		}
		seen[b.Name] = true
		if b.Job != "" && (path.Dir(b.Job) != path.Clean(f.Folder) || !jobName(b.Name).MatchString(path.Base(b.Job))) {
			return fmt.Errorf("names %q on %s, which is no folder of a job in %s", b.Job, b.Host, f.Folder)
		}
		if b.Sent && b.Job == "" {
			return fmt.Errorf("names no folder for the job of %s", b.Host)
		}
	}
	return checkRuns(f.Runs)
}

// jobName returns a pattern of the names that send gives to the folder of a board's job.
func jobName(board string) *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(board) + `-[0-9]{8}-[0-9]{6}-[0-9a-f]{8}$`)
}

func checkRuns(runs []jobRun) error {
	seen := map[string]bool{}
	for _, r := range runs {
		if err := checkFolderName(r.Prefix); err != nil {
			return err
		}
		if seen[r.Prefix] {
			return fmt.Errorf("has two runs of prefix %q", r.Prefix)
		}
		seen[r.Prefix] = true
	}
	return nil
}

// checkFolderName refuses a prefix that is not the name of a folder.
func checkFolderName(prefix string) error {
	if prefix == "" || prefix[0] == '.' {
		return fmt.Errorf("prefix %q: want the name of a folder", prefix)
	}
	return record.CheckPrefix(prefix)
}
