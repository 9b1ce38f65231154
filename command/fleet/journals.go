package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal"
)

// journal returns the name of a board's journal in the fleet's folder.
func (f *Fleet) journal(b *Board, prefix string) string {
	return filepath.Join(boardsDir, b.Name, prefix, record.JournalFile)
}

// append adds a piece to a journal here, and reports the run's progress.
func (f *Fleet) append(b *Board, run string, from int64, text []byte) error {
	known := false
	for _, r := range f.Runs {
		known = known || r.Prefix == run
	}
	if !known {
		return fmt.Errorf("%s sent a journal of %q, which it was not asked for", b.Name, run)
	}
	folder, err := within(f.folder, boardsDir, b.Name, run)
	if err != nil {
		return err
	}
	defer folder.Close()
	path := folder.Path(record.JournalFile)
	j, err := folder.Open(record.JournalFile, os.O_CREATE)
	if err != nil {
		return err
	}
	defer j.Close()
	fi, err := j.Stat()
	if err != nil {
		return err
	}
	if fi.Size() != from {
		return fmt.Errorf("%s: the journal here has %d bytes, and what came is behind %d", path, fi.Size(), from)
	}
	if _, err := j.WriteAt(text, from); err != nil {
		return errors.Join(err, j.Truncate(from))
	}
	if n := bytes.Count(text, []byte(resultLine)); n > 0 {
		f.say("%s: %s, %s", b.Name, run, f.progress(b, run, n))
	}
	return nil
}

// progress returns a line on the results that are here, of which new have just come.
func (f *Fleet) progress(b *Board, run string, new int) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	path := f.journal(b, run)
	n, known := f.results[path]
	if known {
		n += new
	} else {
		var err error
		if n, err = f.counted(path); err != nil {
			return fmt.Sprintf("its results are not counted: %v", err)
		}
	}
	if f.results == nil {
		f.results = map[string]int{}
	}
	f.results[path] = n
	return terminal.Count(n, "result")
}

// counted returns the number of results in a journal here; 0 if there is no journal.
func (f *Fleet) counted(journal string) (int, error) {
	in, err := linux.OpenIn(f.folder.Root(), journal)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer in.Close()
	return bounded.Count(in, []byte(resultLine))
}

// compareJournals refuses results whose journal does not begin with what came before.
func (f *Fleet) compareJournals(b *Board, partial *os.Root) error {
	for _, r := range f.Runs {
		had, err := linux.OpenIn(f.folder.Root(), f.journal(b, r.Prefix))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		same, err := begins(partial, filepath.Join(resultsDir, r.Prefix, record.JournalFile), had)
		had.Close()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if !same {
			return fmt.Errorf("%s: the journal of %s is not the one that was followed: both are kept, here and in %s there", b.Name, r.Prefix, b.Job)
		}
	}
	return nil
}

// begins reports whether a file begins with all that another has.
func begins(dir *os.Root, name string, with io.Reader) (bool, error) {
	f, err := linux.OpenIn(dir, name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return bounded.Begins(f, with)
}
