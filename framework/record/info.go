package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/neighbours"
	"example.org/bench/gpu"
)

// Info is what InfoFile says of a run.
type Info struct {
	Source string `json:"source,omitempty"` // title of the publication that the figures are from
	// RelativeTo is the version whose time is the unit of every time, in a publication of speed-ups; absent:
	// seconds.
	RelativeTo string `json:"relative_to,omitempty"`

	Tool         Tool   `json:"tool"`                    // the program, as of bench version
	EarlierTools []Tool `json:"earlier_tools,omitempty"` // other builds that measured some points of a resumed run

	Name string `json:"name,omitempty"` // what the machine is called (bench run --name NAME)
	// Merged are the runs that a merged one is made of (docs/fleet.md#merge).
	Merged []MergedRun `json:"merged,omitempty"`

	Command []string      `json:"command"` // the command line, by the program's name alone; null of a merged run
	Config  ConfigFile    `json:"config"`  // the experiment
	Seed    uint64        `json:"seed"`    // of the random inputs
	Started time.Time     `json:"started"` // when the run began
	Ended   time.Time     `json:"ended"`   // when the last point did
	Machine machine.Facts `json:"machine"` // the machine; of a merged run what all machines have in common
	// CopiedFiles is the board of --root, where it is not this machine: sensors, power modes, temperatures and
	// clocks are that board's, times and Machine this machine's.
	CopiedFiles string    `json:"copied_files,omitempty"`
	Devices     []Device  `json:"devices"`             // processors that points ran on, one for each power mode switched to
	Libraries   []Library `json:"libraries,omitempty"` // loaded at run time
	Sensors     []Sensor  `json:"sensors"`             // power sensors that the config asks for
	// Peers are the versions that are other libraries' implementations.
	Peers []string `json:"peers,omitempty"`
	// Wisdom is the file of tuned tunables that the run used.
	Wisdom  *WisdomFile `json:"wisdom,omitempty"`
	LeftOut []string    `json:"left_out,omitempty"` // what was not run or not measured, and why
	// Smaller are the parameters whose defaults are smaller on this GPU, which shares the CPU's memory, than
	// on others, and why.
	Smaller  []string `json:"smaller_defaults,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // what may have disturbed the measurement
}

// ConfigFile is the experiment.
type ConfigFile struct {
	Path string     `json:"path"`                    // its file
	Hash string     `json:"sha256"`                  // SHA-256 of its JSON without space between tokens and of its sources, hexadecimal
	Text Experiment `json:"experiment" lines:"kept"` // the file's JSON
	Set  []string   `json:"set,omitempty"`           // what --set replaced, each NAME=V,V…
}

// Experiment is a config's JSON without space between tokens. It is kept as JSON; other text, as of a command
// or of a file up to 0.9, whose bytes are hashed, is a string.
type Experiment string

// MarshalJSON implements json.Marshaler.
func (e Experiment) MarshalJSON() ([]byte, error) {
	if text := []byte(e); json.Valid(text) && bytes.Equal(config.Compact(text), text) {
		return text, nil
	}
	return json.Marshal(string(e))
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Experiment) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(e))
	}
	*e = Experiment(config.Compact(data))
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. Files up to 0.9 have the config as a string, text.
func (f *ConfigFile) UnmarshalJSON(data []byte) error {
	type plain ConfigFile
	v := struct {
		*plain
		Old string `json:"text"`
	}{plain: (*plain)(f)}
	err := json.Unmarshal(data, &v)
	if v.Old != "" {
		f.Text = Experiment(v.Old)
	}
	return err
}

// ConfigOf describes a config as it ran.
func ConfigOf(c *config.Config) ConfigFile {
	return ConfigFile{Path: c.Path, Hash: c.Hash, Text: Experiment(config.Compact([]byte(c.Text))), Set: c.Assignments}
}

// MergedRun is one of the runs that a merged one is made of.
type MergedRun struct {
	Name    string    `json:"name"`          // of its machine
	Set     []string  `json:"set,omitempty"` // what --set replaced
	Command []string  `json:"command"`       // its command line
	Tool    Tool      `json:"tool"`          // its program, as of bench version
	Started time.Time `json:"started"`       // when it began
	Results int       `json:"results"`       // that it has, those included of which another run's is kept
}

// WisdomFile is what bench tune wrote, as a run used it.
type WisdomFile struct {
	File string `json:"file"`   // without its folder
	Hash string `json:"sha256"` // hexadecimal
	// Levels counts the points by how well their tunables match.
	Levels map[string]int `json:"levels"`
}

// Device is a processor that points ran on.
type Device struct {
	ID string `json:"id"` // a point's "device"; of a merged run MACHINE:DEVICE
	// PowerMode is what Facts, Ceilings and Clocks hold in, where the run
	// switched modes; there is then an entry for each.
	PowerMode string         `json:"power_mode,omitempty"`
	Facts     *gpu.Facts     `json:"facts,omitempty"`   // of a GPU
	Driver    string         `json:"driver,omitempty"`  // version of the kernel driver
	Machine   *machine.Facts `json:"machine,omitempty"` // of a merged run: the device's machine
	Ceilings  Ceilings       `json:"ceilings"`          // measured limits; 0: not measured
	// EventFloor is the time between two events with nothing between them, part of each cold sample on a GPU,
	// in the context that measured the ceilings.
	EventFloor float64 `json:"event_floor_s,omitempty"`
	// TimerRate is the seconds that the device's own timer shows in one second: SM
	// clocks are scaled by it where it is off by more than 1 %. 0: not compared.
	TimerRate float64 `json:"timer_rate,omitempty" unit:"s/s"`
	// Timing is what times a device of OpenCL, and how its driver's clock agrees with the host's.
	Timing string `json:"timing,omitempty"`
	// Clocks are the clocks by NVML's names, as the run began.
	Clocks map[string]float64 `json:"clocks_Hz,omitempty"`
	// Sharing is how a GPU was shared as the run began; absent: it is none, or an earlier tool wrote it.
	Sharing *neighbours.Sharing `json:"sharing,omitempty"`
}

// Library is one that was loaded at run time.
type Library struct {
	Name    string `json:"name"`              // soname
	File    string `json:"file,omitempty"`    // without its folder
	Version string `json:"version,omitempty"` // as the library says
}

// Sensor is one that the config asks for.
type Sensor struct {
	Name     string              `json:"name"`                      // kind
	Device   string              `json:"device"`                    // whose points it was opened for
	Absent   string              `json:"absent,omitempty"`          // why it gives nothing
	NotHere  bool                `json:"not_here,omitempty"`        // the machine has none, as Absent says
	Channels []framework.Channel `json:"channels,omitempty"`        // what it reads
	Period   float64             `json:"update_period_s,omitempty"` // 0: unknown
	Notes    []string            `json:"notes,omitempty"`           // what was left out, and why
}

// Limits returns the ceilings of a device in a power mode.
func (i Info) Limits(device, mode string) Ceilings {
	for _, d := range i.Devices {
		if d.ID == device && (d.PowerMode == "" || d.PowerMode == mode) {
			return d.Ceilings
		}
	}
	return Ceilings{}
}

// Tool is the program that measured.
type Tool struct {
	Version  string `json:"version"`            // of bench
	Commit   string `json:"commit,omitempty"`   // that it was built from
	Modified bool   `json:"modified,omitempty"` // true: built from a tree with changes
	Go       string `json:"go"`                 // that built it
	Platform string `json:"platform"`           // operating system and architecture
}

// String returns the version with its commit, which distinguishes any two
// programs built from committed source.
func (t Tool) String() string {
	s := t.Version
	if t.Commit != "" && !strings.Contains(s, t.Commit[:min(12, len(t.Commit))]) {
		s += fmt.Sprintf(" (%.12s)", t.Commit)
	}
	if t.Modified && !strings.Contains(s, "dirty") {
		s += "+dirty"
	}
	return s
}

// version and commit are set by
// go build -ldflags "-X example.org/bench/framework/record.version=… -X example.org/bench/framework/record.commit=…".
var version, commit string

// ThisTool describes the running program: by its linker flags, else by what
// the go command recorded in it.
func ThisTool() Tool {
	t := Tool{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if b, ok := debug.ReadBuildInfo(); ok {
		if b.Main.Version != "" {
			t.Version = b.Main.Version
		}
		for _, s := range b.Settings {
			switch s.Key {
			case "vcs.revision":
				t.Commit = s.Value
			case "vcs.modified":
				t.Modified = s.Value == "true"
			}
		}
	}
	if version != "" {
		t.Version = version
	}
	if commit != "" {
		t.Commit = commit
	}
	return t
}

// Line returns the tool with its commit, platform and Go.
func (t Tool) Line() string {
	line := "bench " + t.Version
	if t.Commit != "" {
		line += fmt.Sprintf(" (commit %.12s)", t.Commit)
	}
	return fmt.Sprintf("%s %s %s\n", line, t.Platform, t.Go)
}
