// Package wisdom keeps the tunables that searches found in a file, and finds them there for a problem on a
// device.
package wisdom

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/gpu"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/textfile"
	"example.org/bench/internal/trust"
)

// wisdomFormat changes when older files can no longer be read.
const wisdomFormat = 1

// File is what tuning found, kept in a file for later runs.
type File struct {
	Format  int      `json:"wisdom_format"`
	Entries []Entry  `json:"entries"`
	path    string   // where it was read
	sum     [32]byte // of the file's bytes
}

// Entry is the best of one version at one problem on one device.
type Entry struct {
	Algorithm string              `json:"algorithm"`
	Version   string              `json:"version"`
	Processor framework.Processor `json:"processor"`
	Device    Device              `json:"device"`
	Params    framework.Values    `json:"params"`
	// PowerMode is the mode for which the entry is valid; empty: unknown, or any.
	PowerMode string           `json:"power_mode,omitempty"`
	Objective string           `json:"objective"` // "time", "energy", "edp"
	Tunables  framework.Values `json:"tunables"`
	// Cost is that of the objective (s, J, J·s), measured again after the search. DefaultCost is that of the
	// version's defaults, 0 if they cannot run.
	Cost        float64   `json:"cost"`
	DefaultCost float64   `json:"default_cost,omitempty"`
	Strategy    string    `json:"strategy"`
	Evaluations int       `json:"evaluations"`
	Points      int       `json:"points"` // of the space
	Tool        string    `json:"tool"`
	Found       time.Time `json:"found"`
}

// Same reports whether both are for one version, device, problem, power mode and objective.
func (e Entry) Same(o Entry) bool {
	return o.Algorithm == e.Algorithm && o.Version == e.Version && o.Processor == e.Processor &&
		o.Device.Name == e.Device.Name && o.PowerMode == e.PowerMode && o.Objective == e.Objective && sameValues(o.Params, e.Params)
}

// Slower reports whether the defaults, measured beside the entry's tunables, cost less.
func (e Entry) Slower() bool { return e.DefaultCost > 0 && e.Cost > e.DefaultCost }

// slower counts the entries of an algorithm that runs would use if they were not slower than the defaults.
func (w *File) slower(algorithm string) (n int) {
	for _, e := range w.Entries {
		if e.Algorithm == algorithm && e.Objective == "time" && e.Slower() {
			n++
		}
	}
	return n
}

// Device is the device for which an entry is valid.
type Device struct {
	Name string `json:"name"`
	// Architecture is "sm_90" for a GPU, "amd64" for a CPU.
	Architecture string `json:"architecture"`
	Driver       string `json:"driver,omitempty"`
	Compiler     string `json:"compiler,omitempty"`
}

// DeviceOf returns the GPU of these facts; without facts, this machine's CPU.
func DeviceOf(facts *gpu.Facts) Device {
	if facts == nil {
		here, _ := machine.Live.Facts()
		return Device{Name: here.CPU, Architecture: here.Architecture}
	}
	return Device{Name: facts.Name, Architecture: facts.Arch(), Driver: facts.DriverVersion, Compiler: facts.CompilerVersion}
}

// DefaultPath returns where wisdom is kept by default: wisdom.json in the folder bench of the user's
// configuration folder. If HOME is another user's, as sudo may leave it, root has /var/lib/bench.
func DefaultPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err == nil {
		dir = filepath.Join(dir, "bench")
	}
	if dir = trust.Self().Folder(dir, "/var/lib/bench"); dir == "" {
		return "", fmt.Errorf("folder for the wisdom file: %w", err)
	}
	return filepath.Join(dir, "wisdom.json"), nil
}

// PathFor returns the file that a search adds to: name, the default if name is empty, and none for "none". A
// file that cannot be read would only fail at the end.
func PathFor(name string) (path string, err error) {
	switch path = name; name {
	case "none":
		return "", nil
	case "":
		if path, err = DefaultPath(); err != nil {
			return "", err
		}
	}
	_, err = Open(path)
	return path, err
}

// Open reads a wisdom file. A file that does not exist is empty wisdom.
func Open(path string) (*File, error) {
	text, err := textfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Format: wisdomFormat, path: path}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	return parse(path, text)
}

// parse reads the text of the file at path.
func parse(path string, text []byte) (*File, error) {
	w := &File{path: path}
	if err := bounded.Unmarshal(text, w); err != nil {
		return nil, fmt.Errorf("wisdom %s: not a wisdom file of bench tune: %w", path, err)
	}
	if w.Format == 0 {
		return nil, fmt.Errorf("wisdom %s: not a wisdom file of bench tune: it has no wisdom_format", path)
	}
	if w.Format != wisdomFormat {
		return nil, fmt.Errorf("wisdom %s: format %d, this bench reads %d; tune anew into another file", path, w.Format, wisdomFormat)
	}
	w.sum = sha256.Sum256(text)
	return w, nil
}

// Path returns the file's path.
func (w *File) Path() string { return w.path }

// Hash returns the SHA-256 of the file as read, in hexadecimal.
func (w *File) Hash() string { return hex.EncodeToString(w.sum[:]) }

// Add adds an entry, in place of one for the same version, device, problem, power mode and objective. The
// earlier entry stays and is returned if it is of the same tool, costs less, and is not slower than the
// defaults.
func (w *File) Add(e Entry) (better *Entry) {
	if i := slices.IndexFunc(w.Entries, e.Same); i >= 0 {
		if had := w.Entries[i]; had.Tool == e.Tool && had.Cost > 0 && had.Cost < e.Cost && !had.Slower() {
			return &had
		}
	}
	w.Entries = append(slices.DeleteFunc(w.Entries, e.Same), e)
	return nil
}

func sameValues(a, b framework.Values) bool {
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		if y, ok := b[name]; !ok || x.String() != y.String() {
			return false
		}
	}
	return true
}

// Keep adds entries to the file at path, which it locks and reads anew: another search may have written to it
// since. It returns the entries that were there and stay (Add).
func Keep(path string, entries []Entry) (better []Entry, err error) {
	folder, err := safefile.MakeFolder(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	defer folder.Close()
	name := filepath.Base(path)
	lock, err := folder.Open(name+".lock", os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	defer lock.Close() // which unlocks
	if err := safefile.Lock(lock); err != nil {
		return nil, fmt.Errorf("wisdom: lock %s: %w", lock.Name(), err)
	}
	w, err := Open(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if had := w.Add(e); had != nil {
			better = append(better, *had)
		}
	}
	text, err := json.MarshalIndent(w, "", " ")
	if err != nil {
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	if err := folder.Write(name, bytes.NewBuffer(append(text, '\n'))); err != nil {
		return nil, fmt.Errorf("wisdom: %w", err)
	}
	return better, nil
}
