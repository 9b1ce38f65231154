package wisdom

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"bench/cuda"
	"bench/framework"
	"bench/framework/record"
	"bench/trust"
)

// Use is wisdom as the plan of one experiment uses it. Nil stands for no wisdom.
type Use struct {
	file    *File
	factory *framework.Factory
	devices map[framework.Processor]Device
	mode    string // that is on; empty: not known
	levels  map[string]int
}

// OpenFor opens the wisdom at path for an algorithm on a GPU with these facts
// (nil without a GPU): an empty path is the default file, which need not be
// there, and which nobody else may be able to change; a file that is named must. mode is the
// power mode that is on, empty where that is not known. Without wisdom both results are nil.
func OpenFor(path string, f *framework.Factory, facts *cuda.Facts, mode string) (*Use, error) {
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

// Tuned is a plan.Tuned. It counts the levels of what it gives.
func (u *Use) Tuned(v *framework.Version, params framework.Values, facts cuda.Facts) (framework.Values, string) {
	m, ok := u.file.Match(Query{Algorithm: u.factory.Name, Version: v, Params: params, Device: u.devices[v.Processor], PowerMode: u.mode, Facts: facts})
	u.levels[string(m.Level)]++
	if !ok {
		return nil, ""
	}
	return m.Tunables, m.From
}

// Info is what run.json says of it; nil without wisdom.
func (u *Use) Info() *record.WisdomFile {
	if u == nil {
		return nil
	}
	return &record.WisdomFile{File: filepath.Base(u.file.Path()), Hash: u.file.Hash(), Levels: u.levels}
}

// Summary says in a line how many points have tunables of which level; empty
// where there are none.
func (u *Use) Summary() string {
	if u == nil {
		return ""
	}
	var parts []string
	for _, level := range []Level{ExactSize, NearestSize, SameArchitecture, AnalyticalModel, VersionDefaults} {
		if n := u.levels[string(level)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, level))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("tunables by %s: %s", u.file.Path(), strings.Join(parts, ", "))
}
