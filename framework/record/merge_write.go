package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"example.org/bench/internal/safefile"
)

// writeFolder writes the merged run to a folder that is not there yet, or is empty:
// whole or not at all. It returns the folder.
func (m *merge) writeFolder(out string) (_ *safefile.Folder, err error) {
	out = filepath.Clean(out)
	above, err := safefile.MakeFolder(filepath.Dir(out))
	if err != nil {
		return nil, fmt.Errorf("make the folder above %s: %w", out, err)
	}
	defer above.Close()
	name := filepath.Base(out)
	partial := fmt.Sprintf(".%s.%d", name, os.Getpid())
	made, err := above.Make(partial)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			above.RemoveAll(partial)
		}
	}()
	err = m.write(made)
	if err == nil {
		err = made.Sync()
	}
	self, failed := made.Info()
	if err := errors.Join(err, failed, made.Close()); err != nil { // Windows renames no open folder
		return nil, err
	}
	if err := above.Rename(partial, name); err != nil {
		return nil, fmt.Errorf("%s cannot become the merged run's folder: %w", out, err)
	}
	folder, err := above.Folder(name)
	if err != nil {
		return nil, err
	}
	err = above.Sync()
	if now, failed := folder.Info(); failed == nil && !os.SameFile(self, now) {
		err = errors.Join(err, fmt.Errorf("%s was replaced while the merged run was written", out))
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// write writes the merged run's files, compressed for speed: samples of many runs are most
// of them.
func (m *merge) write(dir *safefile.Folder) error {
	m.names = m.columns.names()
	has, journals := m.optional()
	w, err := newWriter(dir, &Run{Info: m.info, Prefix: m.header.Prefix, Axes: m.header.Axes, Columns: m.columns}, has, gzip.BestSpeed)
	if err != nil {
		return err
	}
	defer w.discard()
	var journal *safefile.Pending
	if journals {
		if journal, err = m.beginJournal(dir); err != nil {
			return err
		}
		defer journal.Discard()
	}
	if err := m.pieces(w, journal); err != nil {
		return err
	}
	if journals {
		if err := journal.Place(); err != nil {
			return err
		}
	}
	return w.place(nil)
}

// optional says which files the merged run has, and whether a journal: files alone do not
// have all that a journal tells.
func (m *merge) optional() (has optionalFiles, journals bool) {
	has, journals = m.seen.has, true
	for _, p := range m.parts {
		journals = journals && p.files == nil
	}
	has.latency = has.rates
	return has, journals
}

// beginJournal begins the merged run's journal.
func (m *merge) beginJournal(dir *safefile.Folder) (*safefile.Pending, error) {
	h := m.header
	h.Format = journalFormat
	var begin []byte
	for _, l := range []struct {
		kind
		content any
	}{{headerLine, h}, {headerLine, h}, {sessionLine, m.info}} {
		text, err := encodeLine(l.kind, l.content)
		if err != nil {
			return nil, err
		}
		begin = append(begin, text...)
	}
	journal, err := dir.Begin(JournalFile)
	if err != nil {
		return nil, err
	}
	if _, err := journal.Write(begin); err != nil {
		journal.Discard()
		return nil, err
	}
	return journal, nil
}

// mergePiece is what some results add to the files and to the journal.
type mergePiece struct {
	texts []bytes.Buffer
	lines []byte
	err   error
	done  chan struct{}
}

// pieces converts some results at a time in several threads and appends them in order.
func (m *merge) pieces(w *writer, journal *safefile.Pending) error {
	queue := make(chan *mergePiece, m.opt.Workers)
	slots := make(chan struct{}, m.opt.Workers+1) // pieces that are not written yet
	stop := make(chan struct{})
	var wait sync.WaitGroup
	go func() {
		defer close(queue)
		for from := 0; from < len(m.entries); {
			to := min(from+batchRows, len(m.entries))
			for to < len(m.entries) && m.entries[to].point == m.entries[to-1].point {
				to++ // a row is of all instances
			}
			select {
			case slots <- struct{}{}:
			case <-stop:
				return
			}
			p := &mergePiece{done: make(chan struct{})}
			entries := m.entries[from:to]
			wait.Go(func() {
				defer close(p.done)
				p.err = m.convert(entries, w, p)
			})
			queue <- p
			from = to
		}
	}()
	var failed error
	for p := range queue {
		<-p.done
		if failed == nil {
			failed = p.err
			if failed == nil {
				failed = w.append(p.texts)
			}
			if failed == nil && journal != nil {
				_, failed = journal.Write(p.lines)
			}
			if failed != nil {
				close(stop)
			}
		}
		<-slots
	}
	wait.Wait()
	return failed
}

// convert reads some results and makes the piece of them.
func (m *merge) convert(entries []mergeEntry, w *writer, to *mergePiece) error {
	b, ok := m.batches.Get().(*batch)
	if !ok {
		b = new(batch)
	}
	defer m.batches.Put(b)
	b.clear()
	for from := 0; from < len(entries); {
		end := from + 1
		for end < len(entries) && entries[end].point == entries[from].point {
			end++
		}
		if err := m.point(entries[from:end], b, to); err != nil {
			return err
		}
		from = end
	}
	var err error
	to.texts, err = w.encode(b, false)
	return err
}

// point adds one point, with its instances.
func (m *merge) point(entries []mergeEntry, b *batch, to *mergePiece) error {
	device := m.tables.devices[entries[0].device].name
	if entries[0].length == 0 {
		m.parts[entries[0].part].files.add(entries[0], device, b)
		return nil
	}
	var instances []Result
	for _, e := range entries {
		text, err := m.text(e)
		if err != nil {
			return fmt.Errorf("%s changed while it was merged: %w", m.parts[e.part].Dir, err)
		}
		r, line, err := m.known.renamed(text, int(e.point), device)
		if err != nil {
			return fmt.Errorf("%s changed while it was merged: %w", m.parts[e.part].Dir, err)
		}
		to.lines = append(to.lines, line...)
		b.add(r)
		instances = append(instances, r)
	}
	limits, ok := m.limits[[2]string{device, instances[0].Point.PowerMode}]
	if !ok {
		limits = m.limits[[2]string{device, ""}]
	}
	b.rows = append(b.rows, newRow(instances, m.names, limits))
	return nil
}
