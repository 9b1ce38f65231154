package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/trust"
)

// Entries are the lines of a run, measured at a revision.
func Entries(run *record.Run, revision string) ([]Entry, error) {
	switch i := run.Info; {
	case i.Source != "":
		return nil, errors.New("it holds published figures, and no run")
	case i.Started.IsZero():
		return nil, errors.New("it does not say when it was measured")
	}
	var swept []string
	for _, a := range run.Axes {
		if a.Tunable {
			swept = append(swept, a.Name)
		}
	}
	hash := sha256.Sum256([]byte(strings.Join(append([]string{run.Info.Config.Hash}, run.Info.Config.Set...), "\n")))
	var list []Entry
	for k := range run.Rows {
		row := &run.Rows[k]
		if row.Status == record.Skipped {
			continue
		}
		one := onDevice(run, row)
		fingerprint, name := machineOf(one)
		e := Entry{
			Format: entryFormat, Started: run.Info.Started.UTC(), Revision: revision, Tool: run.Info.Tool.String(),
			Config: filepath.Base(run.Info.Config.Path), ConfigHash: fmt.Sprintf("%.6x", hash),
			Machine: fingerprint, MachineName: name,
			Algorithm: row.Algorithm, Version: row.Version, Processor: row.Processor, Device: row.Device, PowerMode: row.PowerMode,
			Params: row.Params.Values(), Tunables: row.Tunables.Values(), Swept: swept,
			Surroundings: surroundingsOf(one, row), Clock: row.Time.Clock.Float(),
			Status: row.Status, Reason: row.Reason, Shared: row.Shared(), Metrics: map[string]Estimate{},
		}
		if !row.Time.Clock.IsSet() {
			e.Clock = 0
		}
		for _, m := range Metrics() {
			if x := m.of(row); x[0].IsSet() && x[0].Float() > 0 {
				v := Estimate{Value: x[0].Float()}
				if x[1].IsSet() && x[2].IsSet() && x[1].Float() > 0 {
					v.Low, v.High = x[1].Float(), x[2].Float()
				}
				e.Metrics[m.Name] = v
			}
		}
		list = append(list, e)
	}
	if len(list) == 0 {
		return nil, errors.New("it has no results: every point was skipped")
	}
	return list, nil
}

// onDevice is a run as if it had the row's device alone, with the clocks that do not
// move by themselves.
func onDevice(run *record.Run, row *record.Row) *record.Run {
	one := &record.Run{Info: run.Info}
	one.Info.Devices = nil
	for _, d := range run.Info.Devices {
		if d.ID != row.Device || d.PowerMode != "" && d.PowerMode != row.PowerMode {
			continue
		}
		clocks := map[string]float64{}
		for name, hz := range d.Clocks {
			if strings.HasSuffix(name, " max") {
				clocks[name] = hz
			}
		}
		d.Clocks = clocks
		one.Info.Devices = append(one.Info.Devices, d)
		if d.Machine != nil {
			one.Info.Machine = *d.Machine
		}
	}
	return one
}

// machineOf is the fingerprint of the machine and the GPU of a run of one device, and
// what they are in words. Memory counts in GiB: what the kernel takes of it differs.
func machineOf(run *record.Run) (fingerprint, name string) {
	m := run.Info.Machine
	parts := []string{m.Board, m.CPU, fmt.Sprint(m.CPUs), fmt.Sprint((m.MemoryBytes + 1<<29) >> 30)}
	name = m.CPU
	if m.Board != "" {
		name = m.Board
	}
	for _, d := range run.Info.Devices {
		if d.Facts != nil {
			parts = append(parts, d.Facts.Name, d.Facts.UUID)
			name = d.Facts.Name
		}
	}
	return fmt.Sprintf("%.4x", sha256.Sum256([]byte(strings.Join(parts, "\n")))), name
}

// What of a run's surroundings is kept, by processor. The others are in the key of a
// series, or no cause of a change.
var (
	everywhere = []string{"measure settings", "kernel", "battery"}
	ofGPUs     = []string{"driver", "GPU compiler", "GPU clocks"}
	ofCPUs     = []string{"usable CPUs", "CPU governor and clocks"}
)

func surroundingsOf(run *record.Run, row *record.Row) map[string]string {
	kept := append(slices.Clone(everywhere), ofCPUs...)
	if row.Processor == framework.GPU {
		kept = append(slices.Clone(everywhere), ofGPUs...)
	}
	if slices.Contains(run.Info.Peers, row.Version) {
		kept = append(kept, "libraries")
	}
	list := map[string]string{}
	for _, s := range compare.Surroundings(run) {
		if slices.Contains(kept, s.Name) {
			list[s.Name] = s.Value
		}
	}
	return list
}

// Append adds entries to the file, which it makes if it is not there. Those that the
// file has are left out; it returns how many were added.
func Append(path string, entries []Entry) (added int, err error) {
	f, err := safefile.Open(path, os.O_CREATE|os.O_APPEND)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := safefile.Lock(f); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	had := map[string]bool{}
	if err := eachLine(f, path, func(_ int, line []byte) { had[string(line)] = true }); err != nil {
		return 0, err
	}
	var b bytes.Buffer
	torn, err := unfinished(f)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if torn { // a writer was killed
		b.WriteByte('\n')
	}
	for _, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			return 0, err
		}
		if had[string(line)] {
			continue
		}
		had[string(line)] = true
		b.Write(append(line, '\n'))
		added++
	}
	if added == 0 {
		return 0, nil
	}
	if _, err := f.Write(b.Bytes()); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return added, f.Sync()
}

// unfinished reports whether a file's last line has no end.
func unfinished(f *os.File) (bool, error) {
	fi, err := f.Stat()
	if err != nil || fi.Size() == 0 {
		return false, err
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, fi.Size()-1)
	return last[0] != '\n', err
}

// Misdated says that entries have a date that cannot be right, as seen now; empty if all
// may be right.
func Misdated(entries []Entry, now time.Time) string {
	var list []*Undated
	for _, e := range entries {
		if machine.DateDoubt(e.Started, now) != "" {
			list = append(list, &Undated{Entry: e})
		}
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf("%s %s, which cannot be: bench history check leaves them out; correct \"started\" in these lines", terminal.Count(len(list), "result"), dates(list))
}

// EntriesOf are the results of folders, of a revision: that given, or else what git says, which it returns.
func EntriesOf(dirs []string, given string) (all []Entry, revision string, err error) {
	if revision = strings.TrimSpace(given); revision == "" {
		if revision, err = Revision(); err != nil {
			return nil, "", err
		}
	}
	for _, dir := range dirs {
		run, err := record.Read(dir)
		if err != nil {
			return nil, "", err
		}
		entries, err := Entries(run, revision)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, entries...)
	}
	return all, revision, nil
}

// Revision is what git calls the source in this folder.
func Revision() (string, error) {
	git, err := trust.Self().Program("git")
	if err != nil {
		return "", fmt.Errorf("--revision is missing, and git cannot say it: %w", err)
	}
	out, err := exec.Command(git, "describe", "--tags", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return "", errors.New("--revision is missing, and git knows none of this folder: want the revision of the source that was measured")
	}
	return strings.TrimSpace(string(out)), nil
}
