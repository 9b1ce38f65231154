package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
)

// maxRestarts is the number of times that a job is started again after it ended without a
// result, as when its board went down.
const maxRestarts = 3

// resultLine is how a journal's line with a result begins, behind its checksum.
const resultLine = `","result":`

// follow starts the job, writes its journals here as they grow, and returns when it has
// ended. A connection that is lost is made again.
func (f *Fleet) follow(ctx context.Context, b *Board) error {
	wait, restarts, lost := time.Second, 0, false
	for {
		state, err := f.watch(ctx, b, true)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && state.Phase == Done:
			return nil
		case err == nil && state.Phase == Stopped:
			if restarts++; restarts > maxRestarts {
				return fmt.Errorf("%s: the job ended %d times without saying why", b.Name, restarts)
			}
			f.say("%s: the job ended before it was done; it is started again", b.Name)
			wait = time.Second
			continue
		case err == nil || errors.Is(err, errConnection):
			if !lost {
				f.say("%s: the connection is lost: the run goes on there, trying again", b.Name)
			}
			lost = true
		default:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait = min(2*wait, 30*time.Second)
	}
}

// watch starts the job if it does not run, and reads what it writes until the job or the
// connection ends. If wait is false, it reads what there is.
func (f *Fleet) watch(ctx context.Context, b *Board, wait bool) (State, error) {
	from := map[string]int64{}
	for _, r := range f.Runs {
		fi, err := f.folder.Stat(f.journal(b, r.Prefix))
		if err == nil {
			from[r.Prefix] = fi.Size()
		} else if !errors.Is(err, os.ErrNotExist) {
			return State{}, err
		}
	}
	text, err := json.Marshal(from)
	if err != nil {
		return State{}, err
	}
	do := "./" + programFile + " board start . && "
	follow := "./" + programFile + " board follow . --from " + quote(string(text))
	if !wait {
		do, follow = "", follow+" --once"
	}
	cmd := f.ssh(b).command(ctx, "cd "+quote(b.Job)+" && "+do+follow)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return State{}, err
	}
	var said bounded.Said
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return State{}, err
	}
	state, failed := receive(out, func(run string, from int64, text []byte) error { return f.append(b, run, from, text) }, func(s State) { f.tell(b, s) })
	if failed != nil && !errors.Is(failed, io.ErrUnexpectedEOF) {
		_ = cmd.Process.Kill()
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return state, ctx.Err()
	case failed != nil && !errors.Is(failed, io.ErrUnexpectedEOF):
		return state, failed
	case err != nil:
		return state, f.ssh(b).failed(ctx, err, said.Bytes())
	}
	return state, errors.Join(failed, f.set(b, func(b *Board) { b.State = state }))
}

// tell says what phase a board is in.
func (f *Fleet) tell(b *Board, s State) {
	switch {
	case s.Phase == Waiting:
		f.say("%s: waits, as another run measures there", b.Name)
	case s.Phase == Done && s.Reason != "":
		f.say("%s: %s", b.Name, s.Reason)
	}
}

// within opens folders in another, each in the one before, which it makes unless they are there.
func within(folder *safefile.Folder, names ...string) (*safefile.Folder, error) {
	in := folder
	for i, name := range names {
		next, err := in.Make(name)
		if i > 0 {
			in.Close()
		}
		if err != nil {
			return nil, err
		}
		in = next
	}
	return in, nil
}

// Fetch brings here what every board has so far, without waiting, and cleans up where a job
// is done.
func (f *Fleet) Fetch(ctx context.Context) error {
	return f.all(func(b *Board) error {
		if b.Fetched {
			return f.cleanAgain(ctx, b)
		}
		if !b.Sent {
			return nil
		}
		state, err := f.watch(ctx, b, false)
		if err != nil {
			return err
		}
		if state.Phase != Done {
			f.say("%s: %s; its journal so far is here", b.Name, state.Phase)
			return nil
		}
		return f.fetch(ctx, b)
	})
}

// Report returns a line on each board's progress, and whether all boards could be asked.
func (f *Fleet) Report(ctx context.Context) (lines []string, asked bool) {
	lines = make([]string, len(f.Boards))
	err := f.all(func(b *Board) (err error) {
		at := 0
		for i, other := range f.Boards {
			if other == b {
				at = i
			}
		}
		phase := "not sent"
		if b.Fetched {
			phase = "fetched"
		} else if b.Sent {
			var s State
			s, err = f.watch(ctx, b, false)
			if phase = s.Phase; err != nil {
				phase = strings.TrimPrefix(err.Error(), b.Host+": ")
			}
		}
		var parts []string
		for _, r := range f.Runs {
			parts = append(parts, r.Prefix+": "+f.progress(b, r.Prefix, 0))
		}
		lines[at] = fmt.Sprintf("%s: %s; %s", b.Name, phase, strings.Join(parts, ", "))
		return err
	})
	return lines, err == nil
}

// StopAll ends the jobs; what they have measured is kept there until it is fetched.
func (f *Fleet) StopAll(ctx context.Context) error {
	return f.all(func(b *Board) error {
		if b.Fetched || !b.Sent {
			return nil
		}
		_, err := f.ssh(b).run(ctx, "cd "+quote(b.Job)+" && ./"+programFile+" board stop .", nil)
		return err
	})
}

// fetch brings a board's results and its log here, and removes its folder there.
func (f *Fleet) fetch(ctx context.Context, b *Board) error {
	s := f.ssh(b)
	dir, err := within(f.folder, boardsDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	partial, err := dir.New("." + b.Name + "-")
	if err != nil {
		return err
	}
	defer func() {
		partial.Close()
		dir.RemoveAll(filepath.Base(partial.String()))
	}()
	cmd := s.command(ctx, "cd "+quote(b.Job)+" && mkdir -p "+resultsDir+" && tar -cf - "+resultsDir+" "+logFile)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var said bounded.Said
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	failed := unpack(out, partial)
	io.Copy(io.Discard, out) // tar's last blocks
	if err := cmd.Wait(); err != nil {
		return s.failed(ctx, err, said.Bytes())
	}
	if failed != nil {
		return fmt.Errorf("%s: fetch: %w", b.Name, failed)
	}
	if err := f.compareJournals(b, partial.Root()); err != nil {
		return err
	}
	if err := partial.Root().Rename(logFile, filepath.Join(resultsDir, logFile)); err != nil {
		return err
	}
	if err := dir.RemoveAll(b.Name); err != nil { // the journals, which have come once more
		return err
	}
	if err := dir.Root().Rename(filepath.Join(filepath.Base(partial.String()), resultsDir), b.Name); err != nil {
		return err
	}
	// What is here is not fetched again, should the folder go and this not be kept.
	if err := f.set(b, func(b *Board) { b.Fetched, b.Left = true, true }); err != nil {
		return err
	}
	left := f.clean(ctx, s, b.Job)
	if left != nil {
		f.warn("%v; the folder %s stays there until the next bench fleet fetch", left, b.Job) // it names the host
	}
	if s := b.State; s.Status != 0 {
		log := filepath.Join(b.Name, logFile)
		var text []byte
		if open, err := dir.Root().Open(log); err == nil {
			text = bounded.Tail(open)
			open.Close()
		}
		f.warn("%s: status %d; %s ends with: %s", b.Name, s.Status, dir.Path(log), lastLine(text))
	}
	return f.set(b, func(b *Board) { b.Left = left != nil })
}

// cleanAgain removes the folder of a board that was left there.
func (f *Fleet) cleanAgain(ctx context.Context, b *Board) error {
	if !b.Left {
		return nil
	}
	if err := f.clean(ctx, f.ssh(b), b.Job); err != nil {
		return err
	}
	return f.set(b, func(b *Board) { b.Left = false })
}

// clean removes a job's folder from a board.
func (f *Fleet) clean(ctx context.Context, s ssh, folder string) error {
	if path.Dir(folder) != path.Clean(f.Folder) || path.Base(folder) == ".." {
		return fmt.Errorf("%s is not in %s", folder, f.Folder)
	}
	_, err := s.run(ctx, "rm -rf "+quote(folder), nil)
	return err
}

// Results returns the folders of what was fetched of the config with that prefix, as parts
// of a merged run.
func (f *Fleet) Results(prefix string) (parts []record.Part, err error) {
	for _, b := range f.Boards {
		path := f.journal(b, prefix)
		fi, err := f.folder.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if fi.Size() > 0 {
			parts = append(parts, record.Part{Name: b.Name, Dir: filepath.Join(f.Dir(), filepath.Dir(path))})
		}
	}
	return parts, nil
}

// Prefixes returns the prefixes of the configs.
func (f *Fleet) Prefixes() (list []string) {
	for _, r := range f.Runs {
		list = append(list, r.Prefix)
	}
	return list
}
