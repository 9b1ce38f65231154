package analytical

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.org/bench/framework/machine"
	"example.org/bench/gpu"
)

//go:embed devices.json
var devicesText []byte

// Device describes a GPU that need not be there. On a machine that has it, the
// facts of its driver stand above these.
type Device struct {
	// ID is its name on the command line.
	ID     string    `json:"id"`
	Chip   string    `json:"chip"`
	SoC    string    `json:"soc"`    // as a Jetson's device tree names it; empty for others
	Source string    `json:"source"` // of the facts, by title
	Facts  gpu.Facts `json:"facts"`
}

// Devices lists the devices described.
var Devices = sync.OnceValue(func() []Device {
	var all []Device
	if err := json.Unmarshal(devicesText, &all); err != nil {
		panic("tuning: devices.json: " + err.Error()) // a test loads it
	}
	return all
})

// FindDevice returns the description of that ID or chip.
func FindDevice(id string) (*Device, error) {
	for _, d := range Devices() {
		if d.ID == id {
			return &d, nil
		}
	}
	return nil, fmt.Errorf("no description of device %q; there are %s", id, strings.Join(DescribedDevices(), ", "))
}

// Doubt says what a plan from copied files does not tell of, or that the files are another
// board's than the described device; empty of this machine's own files.
func Doubt(files machine.Tree, device string) string {
	if files.IsLive() {
		return ""
	}
	d, err := FindDevice(device)
	if err != nil {
		return "of the copied files (--root) only the power mode counts: GPU, libraries and memory are this machine's; --device with the name of a board plans for that"
	}
	if compatible := files.DeviceTree("compatible"); strings.Contains(compatible, "nvidia,tegra") && (d.SoC == "" || !strings.Contains(compatible, "nvidia,"+d.SoC)) {
		facts, _ := files.Facts()
		return fmt.Sprintf("the copied files (--root) are of %s, not of a %s (--device)", cmp.Or(facts.Board, "another board"), d.Facts.Name)
	}
	return ""
}

// DescribedDevices are the IDs of the descriptions.
func DescribedDevices() []string {
	var ids []string
	for _, d := range Devices() {
		ids = append(ids, d.ID)
	}
	return ids
}

// IsDescribed reports whether there is a description of that ID.
func IsDescribed(id string) bool {
	return slices.ContainsFunc(Devices(), func(d Device) bool { return d.ID == id })
}
