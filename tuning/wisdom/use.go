package wisdom

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/trust"
)

// Use is the wisdom that the plan of one experiment uses. Nil means no wisdom.
type Use struct {
	file    *File
	factory *framework.Factory
	devices map[framework.Processor]Device
	mode    string // that is on; empty: not known
	levels  map[string]int
}

// OpenFor opens the wisdom at path for an algorithm on a GPU with these facts (nil without a GPU). An empty
// path is the default file, which need not exist, and which nobody else may be able to change; a named file
// must exist. mode is the power mode that is on, empty if unknown. Without wisdom both results are nil.
func OpenFor(path string, f *framework.Factory, facts *gpu.Facts, mode string) (*Use, error) {
	named := path != ""
	if !named {
		var err error
		if path, err = DefaultPath(); err != nil {
			return nil, nil // no home, no wisdom
		}
	}
	if _, err := os.Stat(path); err != nil {
		if !named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR)) {
			return nil, nil // nor is a home of another user this one's
		}
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	if !named {
		if err := trust.Self().Check(path); err != nil {
			return nil, fmt.Errorf("wisdom: %w; remove it, or name a file by --wisdom", err)
		}
	}
	w, err := Open(path)
	if err != nil {
		return nil, err
	}
	u := &Use{file: w, factory: f, mode: mode, levels: map[string]int{}, devices: map[framework.Processor]Device{framework.CPU: DeviceOf(nil)}}
	if facts != nil {
		u.devices[framework.GPU] = DeviceOf(facts)
	}
	return u, nil
}

// Tuned implements plan.Tuned. It counts the levels of the tunables that it returns.
func (u *Use) Tuned(v *framework.Version, params framework.Values, facts gpu.Facts) (framework.Values, string) {
	m, ok := u.file.Match(Query{Algorithm: u.factory.Name, Version: v, Params: params, Device: u.devices[v.Processor], PowerMode: u.mode, Facts: facts})
	u.levels[string(m.Level)]++
	if !ok {
		return nil, ""
	}
	return m.Tunables, m.From
}

// Uses are the uses of one wisdom file by the plans of one experiment, one for each plan; none without
// wisdom.
type Uses []*Use

// levels returns the points by the level of their tunables.
func (all Uses) levels() map[string]int {
	sum := map[string]int{}
	for _, u := range all {
		for level, n := range u.levels {
			sum[level] += n
		}
	}
	return sum
}

// Info returns what run.json says of the wisdom file; nil without wisdom.
func (all Uses) Info() *record.WisdomFile {
	if len(all) == 0 {
		return nil
	}
	return &record.WisdomFile{File: filepath.Base(all[0].file.Path()), Hash: all[0].file.Hash(), Levels: all.levels()}
}

// Summary says in a line how many points have tunables of each level, and how many entries are not used;
// empty if there are none.
func (all Uses) Summary() string {
	if len(all) == 0 {
		return ""
	}
	var parts []string
	sum := all.levels()
	for _, level := range []Level{ExactSize, NearestSize, SameArchitecture, AnalyticalModel, VersionDefaults} {
		if n := sum[string(level)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, level))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	line := fmt.Sprintf("tunables by %s: %s", all[0].file.Path(), strings.Join(parts, ", "))
	if n := all[0].file.slower(all[0].factory.Name); n > 0 {
		line += fmt.Sprintf("; not used: %d that cost more than the defaults, by the file's own figures", n)
	}
	return line
}
