package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bench/cuda"
	"bench/framework"
	"bench/framework/record"
	"bench/tuning/wisdom"
)

const wisdomHelp = "wisdom file of bench tune with the tunables to use (default: bench/wisdom.json in the user's configuration folder, if it exists; none: no file)"

// wisdomUse is wisdom as a plan uses it.
type wisdomUse struct {
	wisdom  *wisdom.File
	factory *framework.Factory
	places  map[framework.Processor]wisdom.Device
	levels  map[string]int
}

// openWisdom opens the wisdom that a flag names; nil where none is to be used.
// Only a file that was named must be there.
func openWisdom(flag string, f *framework.Factory, facts *cuda.Facts) (*wisdomUse, error) {
	if flag == "none" {
		return nil, nil
	}
	path := flag
	if path == "" {
		var err error
		if path, err = wisdom.DefaultPath(); err != nil {
			return nil, nil // no home, no wisdom
		}
	}
	if _, err := os.Stat(path); err != nil {
		if flag == "" && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, fmt.Errorf("--wisdom: %w", err)
	}
	w, err := wisdom.Open(path)
	if err != nil {
		return nil, err
	}
	u := &wisdomUse{wisdom: w, factory: f, levels: map[string]int{}, places: map[framework.Processor]wisdom.Device{framework.CPU: wisdom.DeviceOf(nil)}}
	if facts != nil {
		u.places[framework.GPU] = wisdom.DeviceOf(facts)
	}
	return u, nil
}

// tuned is what plan.Machine.Tuned asks for.
func (u *wisdomUse) tuned(v *framework.Version, params framework.Values, facts cuda.Facts) (framework.Values, string) {
	m, ok := u.wisdom.Match(wisdom.Query{Algorithm: u.factory.Name, Version: v, Params: params, Device: u.places[v.Processor], Facts: facts})
	u.levels[string(m.Level)]++
	if !ok {
		return nil, ""
	}
	return m.Tunables, m.From
}

// info is what run.json says of it.
func (u *wisdomUse) info() *record.WisdomFile {
	if u == nil {
		return nil
	}
	return &record.WisdomFile{File: filepath.Base(u.wisdom.Path()), Hash: u.wisdom.Hash(), Levels: u.levels}
}

// line says how many points have tunables of which level.
func (u *wisdomUse) line() string {
	var parts []string
	for _, level := range []wisdom.Level{wisdom.ExactSize, wisdom.NearestSize, wisdom.SameArchitecture, wisdom.AnalyticalModel, wisdom.VersionDefaults} {
		if n := u.levels[string(level)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, level))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("tunables by %s: %s", u.wisdom.Path(), strings.Join(parts, ", "))
}
