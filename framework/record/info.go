package record

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/machine"
	"bench/framework/neighbours"
)

// Info is what InfoFile says of a run.
type Info struct {
	// Source is the publication that the figures are from, by title; empty for
	// a run of this tool. RelativeTo is the version whose time is the unit of
	// every time, where a publication gives speed-ups only; empty: seconds.
	Source     string `json:"source,omitempty"`
	RelativeTo string `json:"relative_to,omitempty"`

	Tool Tool `json:"tool"`
	// EarlierTools measured a part of a run that was resumed by another build.
	EarlierTools []Tool `json:"earlier_tools,omitempty"`

	// Name is what the user calls the machine (bench run --name).
	Name string `json:"name,omitempty"`
	// Merged are the runs that a merged one is made of.
	Merged []MergedRun `json:"merged,omitempty"`

	Command []string      `json:"command"` // the command line; none of a merged run
	Config  ConfigFile    `json:"config"`
	Seed    uint64        `json:"seed"`
	Started time.Time     `json:"started"`
	Ended   time.Time     `json:"ended"`
	Machine machine.Facts `json:"machine"`
	// CopiedFiles names the board whose copied files sensors, power modes,
	// temperatures and clocks were read from, where they are not Machine's.
	CopiedFiles string    `json:"copied_files,omitempty"`
	Devices     []Device  `json:"devices"`
	Libraries   []Library `json:"libraries,omitempty"`
	Sensors     []Sensor  `json:"sensors"`
	// Peers are the versions that are other libraries' implementations.
	Peers []string `json:"peers,omitempty"`
	// Wisdom is the file of tuned tunables that the run used.
	Wisdom *WisdomFile `json:"wisdom,omitempty"`
	// LeftOut says what was not run or not measured, and why; Warnings what
	// may have disturbed the measurement.
	LeftOut []string `json:"left_out,omitempty"`
	// Smaller says which defaults are smaller on this GPU than on others, and why.
	Smaller  []string `json:"smaller_defaults,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// ConfigFile is the experiment.
type ConfigFile struct {
	Path string `json:"path"`
	Hash string `json:"sha256"`
	Text string `json:"text" lines:"kept"`
	// Set are the values that replaced the file's, each NAME=V,V….
	Set []string `json:"set,omitempty"`
}

// ConfigOf describes a config as it ran.
func ConfigOf(c *config.Config) ConfigFile {
	return ConfigFile{Path: c.Path, Hash: c.Hash, Text: c.Text, Set: c.Assignments}
}

// MergedRun is one of the runs that a merged one is made of.
type MergedRun struct {
	Name    string    `json:"name"` // of its machine
	Set     []string  `json:"set,omitempty"`
	Command []string  `json:"command"`
	Tool    Tool      `json:"tool"`
	Started time.Time `json:"started"`
	Results int       `json:"results"` // before those that others have, too, are left out
}

// WisdomFile is what bench tune wrote, as a run used it.
type WisdomFile struct {
	File string `json:"file"` // without its folder
	Hash string `json:"sha256"`
	// Levels counts the points by how well their tunables match.
	Levels map[string]int `json:"levels"`
}

// Device is a processor that points ran on.
type Device struct {
	ID string `json:"id"` // plan.Point.Device
	// PowerMode is what Facts, Ceilings and Clocks hold in, where the run
	// switched modes; there is then an entry for each.
	PowerMode string      `json:"power_mode,omitempty"`
	Facts     *cuda.Facts `json:"facts,omitempty"`
	Driver    string      `json:"driver,omitempty"` // version of the kernel driver
	// Machine is that of the device, where the run is merged; Info.Machine then has what
	// all have in common.
	Machine  *machine.Facts `json:"machine,omitempty"`
	Ceilings Ceilings       `json:"ceilings"`
	// EventFloor is the seconds between two events with nothing between them, in the
	// context that measured the ceilings.
	EventFloor float64 `json:"event_floor_s,omitempty"`
	// TimerRate is the seconds that the device's own timer shows in one second: SM
	// clocks are scaled by it where it is off by more than 1 %. 0: not compared.
	TimerRate float64 `json:"timer_rate,omitempty"`
	// Clocks in Hz by NVML's names.
	Clocks map[string]float64 `json:"clocks_Hz,omitempty"`
	// Sharing is how a GPU was shared when the run began; nil: it is none, or an earlier
	// tool wrote it.
	Sharing *neighbours.Sharing `json:"sharing,omitempty"`
}

// Library is one that was loaded at run time.
type Library struct {
	Name    string `json:"name"`
	File    string `json:"file,omitempty"` // without its folder
	Version string `json:"version,omitempty"`
}

// Sensor is one that the config asks for.
type Sensor struct {
	Name     string              `json:"name"`
	Device   string              `json:"device"`           // whose points it was opened for
	Absent   string              `json:"absent,omitempty"` // why it gives nothing
	Channels []framework.Channel `json:"channels,omitempty"`
	Period   float64             `json:"update_period_s,omitempty"` // 0: unknown
	Notes    []string            `json:"notes,omitempty"`
}

// Limits are the ceilings of a device in a power mode.
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
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from a tree with changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// String is the version with its commit, which distinguishes any two
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
// go build -ldflags "-X bench/framework/record.version=… -X bench/framework/record.commit=…".
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

// Line is the tool with its commit, platform and Go.
func (t Tool) Line() string {
	line := "bench " + t.Version
	if t.Commit != "" {
		line += fmt.Sprintf(" (commit %.12s)", t.Commit)
	}
	return fmt.Sprintf("%s %s %s\n", line, t.Platform, t.Go)
}
