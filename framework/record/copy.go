package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Copy makes the folder to a run of what the folder from holds: its journal, and the files made anew from that if from has
// them. change may change each part first: a *Header, *Info or *Result.
func Copy(from, to string, change func(part any)) error {
	f, size, err := journalIn(from)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	defer f.Close()
	c, err := scanJournal(f, size, nil, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	written, err := readWritten(from)
	if err != nil {
		return err
	}
	header := c.headers[0]
	change(&header)
	j, err := CreateJournal(to, header)
	if err != nil {
		return err
	}
	for i := range c.sessions {
		change(&c.sessions[i])
		err = errors.Join(err, j.Begin(c.sessions[i]))
	}
	for i := range c.results {
		change(&c.results[i])
		err = errors.Join(err, j.Append(c.results[i]))
	}
	if err = errors.Join(err, j.Close()); err != nil || written == nil {
		return err
	}
	info := written.Info
	change(&info)
	return Write(to, NewRun(info, header.Prefix, header.Axes, c.results))
}

// CheckFiles returns an error that names the first thing of which the files of the run in a folder, which it has written,
// say something else than its journal. sameBuild is whether this program wrote them: of another's only the chief figures
// are held against the journal, as it may derive the others differently.
func CheckFiles(dir string, sameBuild bool) error {
	f, size, err := journalIn(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	defer f.Close()
	c, err := scanJournal(f, size, nil, nil)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.Name(), err)
	case len(c.damaged) > 0:
		return fmt.Errorf("%s: line %d is damaged", f.Name(), c.damaged[0].number)
	case c.whole < size:
		return fmt.Errorf("%s: its last line is unfinished", f.Name())
	}
	written, err := readWritten(dir)
	if err != nil || written == nil {
		return err
	}
	h := c.headers[0]
	if err := sameInfo(dir, written, h, c.sessions); err != nil {
		return err
	}
	made := NewRun(written.Info, h.Prefix, h.Axes, c.results)
	if err := sameTable(dir, written, made, sameBuild); err != nil {
		return err
	}
	return sameSamples(dir, written, made)
}

// sameInfo compares what run.json says with what the journal does.
func sameInfo(dir string, written *Run, h Header, sessions []Info) error {
	if len(sessions) == 0 {
		return fmt.Errorf("%s: no process says of itself what it ran on", filepath.Join(dir, JournalFile))
	}
	said := sessions[len(sessions)-1]
	said.Resume(sessions[:len(sessions)-1])
	i := written.Info
	for _, x := range []struct {
		what      string
		had, says any
	}{
		{"prefix", h.Prefix, written.Prefix}, {"axes", h.Axes, written.Axes},
		{"seed", h.Seed, i.Seed}, {"config's hash", h.ConfigHash, i.Config.Hash}, {"config", said.Config, i.Config},
		{"tool", said.Tool, i.Tool}, {"machine", said.Machine, i.Machine}, {"devices", said.Devices, i.Devices},
		{"copied files", said.CopiedFiles, i.CopiedFiles}, {"begin", said.Started.UTC(), i.Started.UTC()},
	} {
		if a, b := asJSON(x.had), asJSON(x.says); a != b {
			return fmt.Errorf("%s: %s says another %s than the journal: %s, not %s", dir, InfoFile, x.what, brief(b), brief(a))
		}
	}
	return nil
}

// brief cuts a long text.
func brief(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// chief are the columns that every build derives alike.
var chief = []string{"point", "version", "device", "power_mode", "status", "time_s", "time_min_s", "time_max_s", "power_W", "energy_J"}

// sameTable compares the cells of all points.
func sameTable(dir string, written, made *Run, all bool) error {
	a, at, err := cellsOf(made)
	if err != nil {
		return err
	}
	b, bt, err := cellsOf(written)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if len(a) != len(b) {
		return fmt.Errorf("%s: its files have %d points, the journal %d", dir, len(b), len(a))
	}
	for column, c := range at.Columns {
		other := slices.Index(bt.Columns, c)
		if other < 0 && all {
			return fmt.Errorf("%s: its files have no column %s, which the journal's points have", dir, c.Name)
		}
		if other < 0 || !all && !slices.Contains(chief, c.Name) {
			continue
		}
		for i := range a {
			if had, says := a[i][column], b[i][other]; !sameCell(had, says) {
				return fmt.Errorf("%s: column %s of point %d is %s, by the journal %s", dir, c.Name, i, strconv.Quote(says), strconv.Quote(had))
			}
		}
	}
	return nil
}

// sameCell compares cells, numbers to nine digits: sums are of parts that come in any order.
func sameCell(a, b string) bool {
	if a == b {
		return true
	}
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && (x == y || math.Abs(x-y) <= 1e-9*math.Abs(x))
}

// cellsOf returns the rows of a run's table.
func cellsOf(r *Run) (rows [][]string, t *Tidy, err error) {
	if t, err = r.Tidy(""); err != nil {
		return nil, nil, err
	}
	for piece, err := range t.Pieces {
		if err != nil {
			return nil, nil, err
		}
		for _, row := range piece {
			rows = append(rows, slices.Clone(row))
		}
	}
	return rows, t, nil
}

// sameSamples compares the samples and power readings of the files with the journal's.
func sameSamples(dir string, written, made *Run) error {
	had, _ := ReadSamples("", made) // reads no file
	says, err := ReadSamples(dir, written)
	if err != nil {
		return err
	}
	if at := differ(had.List(), says.List()); at >= 0 {
		return fmt.Errorf("%s: %s: sample %d is not the journal's", dir, written.file(samplesCSV), at)
	}
	power, _ := ReadPowerSamples("", made) // likewise
	read, err := ReadPowerSamples(dir, written)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for i := range read { // programs before 1.0 wrote all digits
		read[i].Time = told(read[i].Time.Float())
	}
	if at := differ(power, read); at >= 0 {
		return fmt.Errorf("%s: %s: reading %d is not the journal's", dir, written.file(powerSamplesCSV), at)
	}
	return nil
}

// differ returns the index of the first element in which two lists differ; -1 if they are the same.
func differ[T comparable](a, b []T) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// asJSON returns a value as text that can be compared.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
