package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
)

// frame is a line that Follow writes. After a frame with Bytes come that many bytes of the
// run's journal.
type frame struct {
	Run   string `json:"run,omitempty"` // prefix
	From  int64  `json:"from,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
	State *State `json:"state,omitempty"`
}

// maxFrame bounds the bytes of one frame.
const maxFrame = 4 << 20

// mostGreeting bounds what else comes from a board: what its login shell says.
const mostGreeting = 1 << 20

// Follow writes the whole lines of the job's journals as they come, each journal from its
// offset in from on, and then the job's state. It returns once the job has ended, or at
// once if wait is false.
func Follow(ctx context.Context, dir string, from map[string]int64, wait bool, to io.Writer) error {
	j, err := readJob(dir)
	if err != nil {
		return err
	}
	out := json.NewEncoder(to)
	var said State
	for {
		s, err := stateOf(dir) // before the journals: after the end nothing comes
		if err != nil {
			return err
		}
		for _, r := range j.Runs {
			n, err := sendLines(filepath.Join(dir, resultsDir, r.Prefix, record.JournalFile), r.Prefix, from[r.Prefix], to)
			if err != nil {
				return err
			}
			if from == nil {
				from = map[string]int64{}
			}
			from[r.Prefix] += n
		}
		ended := s.Phase == Done || s.Phase == Stopped || s.Phase == ""
		if ended || !wait || s != said {
			if err := out.Encode(frame{State: &s}); err != nil {
				return err
			}
			said = s
		}
		if ended || !wait {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
		// Nobody may be at the other end any more: only writing shows it.
		if err := out.Encode(frame{}); err != nil {
			return err
		}
	}
}

// sendLines writes the whole lines of a journal from an offset on, and returns their
// length.
func sendLines(path, run string, from int64, to io.Writer) (sent int64, err error) {
	f, err := linux.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for {
		b := make([]byte, maxFrame)
		n, err := f.ReadAt(b, from+sent)
		if err != nil && !errors.Is(err, io.EOF) {
			return sent, err
		}
		end := bytes.LastIndexByte(b[:n], '\n') + 1
		if end == 0 {
			if n == maxFrame { // one line is longer than a frame
				end = n
			} else {
				return sent, nil
			}
		}
		if err := json.NewEncoder(to).Encode(frame{Run: run, From: from + sent, Bytes: int64(end)}); err != nil {
			return sent, err
		}
		if _, err := to.Write(b[:end]); err != nil {
			return sent, err
		}
		sent += int64(end)
	}
}

// receive reads what Follow writes, and passes the pieces of journals to take. It returns the
// last state, and io.ErrUnexpectedEOF if the connection ended before the job.
func receive(r io.Reader, take func(run string, from int64, text []byte) error, state func(State)) (State, error) {
	in := bounded.NewLines(r, "what the board sends", bounded.MostLine)
	var last *State
	greeting := 0
	for {
		line, err := in.Read()
		if errors.Is(err, io.EOF) && len(line) == 0 && last != nil {
			return *last, nil
		}
		if errors.Is(err, bounded.ErrBeyond) {
			return State{}, err
		}
		if err != nil {
			return State{}, io.ErrUnexpectedEOF
		}
		var f frame
		if err := bounded.Unmarshal(line, &f); err != nil {
			if greeting += len(line); greeting > mostGreeting {
				return State{}, fmt.Errorf("the board sends other text than bench does, more than %s of it", bounded.Size(mostGreeting))
			}
			continue
		}
		if f.Bytes < 0 || f.Bytes > maxFrame {
			return State{}, fmt.Errorf("the board sent a frame of %d bytes", f.Bytes)
		}
		if f.Bytes > 0 {
			b := make([]byte, f.Bytes)
			if _, err := io.ReadFull(in.Rest(), b); err != nil {
				return State{}, io.ErrUnexpectedEOF
			}
			if err := take(f.Run, f.From, b); err != nil {
				return State{}, err
			}
		}
		if f.State != nil {
			last = f.State
			state(*f.State)
		}
	}
}
