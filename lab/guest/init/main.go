//go:build linux

// Init is the first and only process of the guest that lab/guest boots: it
// binds the kernel's drivers ina3221, ina238 and ina2xx to four I2C chips of registers in
// memory, shows them under /sys as a Jetson AGX Orin, a Thor and a board without labels would, runs bench, and
// powers off. Before that, it has bench switch the power modes of the board whose files are
// in /board. Started as "wave" it is the program that bench measures: it drives one
// channel with a square wave. Told "board", it has bench measure the guest into a board file instead.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Kernel is where the guest's sysfs is: /sys is a tree that refers to it.
const kernel = "/kernel"

func main() {
	if filepath.Base(os.Args[0]) == "wave" {
		if err := wave(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "wave:", err)
			os.Exit(1)
		}
		return
	}
	if err := boot(); err != nil {
		fmt.Println("guest:", err)
	}
	fmt.Println("== end")
	unix.Sync()
	time.Sleep(100 * time.Millisecond) // for the serial line
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

func boot() error {
	for _, m := range []struct{ kind, at string }{{"proc", "/proc"}, {"sysfs", kernel}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}, {"tmpfs", "/sys"}} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.kind, m.at, m.kind, 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	console, err := os.OpenFile("/dev/console", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	for fd := range 3 {
		if err := unix.Dup3(int(console.Fd()), fd, 0); err != nil {
			return err
		}
	}
	os.Setenv("HOME", "/tmp")
	os.Setenv("PATH", "/bin")
	// The program is hashed once: an emulation takes 10 s for that. A cache below /tmp is not trusted.
	os.Setenv("XDG_CACHE_HOME", "/cache")
	os.Setenv("BENCH_PLOTS", "none")                       // drawing takes long in an emulation
	fmt.Println()                                          // ends what the firmware printed
	measuring := len(os.Args) > 1 && os.Args[1] == "board" // of the kernel's command line
	if !measuring {
		go setClock()
		if err := switchModes(); err != nil {
			return err
		}
	}
	for module, parameters := range map[string]string{"i2c-dev": "", "i2c-stub": "chip_addr=0x40,0x41,0x44,0x45", "ina3221": "", "ina238": "", "ina2xx": ""} {
		if err := load("/modules/"+module+".ko", parameters); err != nil {
			return fmt.Errorf("load %s: %w", module, err)
		}
	}
	bus, err := findBus()
	if err != nil {
		return err
	}
	for _, address := range chips {
		if err := prepare(bus, address); err != nil {
			return fmt.Errorf("chip %#x: %w", address, err)
		}
	}
	if err := prepareInput(bus); err != nil {
		return fmt.Errorf("chip %#x: %w", inputChip, err)
	}
	if err := prepareMonitor(bus); err != nil {
		return fmt.Errorf("chip %#x: %w", monitorChip, err)
	}
	if err := showBoard(bus); err != nil {
		return err
	}
	if measuring {
		return measureBoard()
	}
	os.Setenv("WAVE_BUS", bus)
	if err := pollSensor(); err != nil {
		return fmt.Errorf("poll the sensor: %w", err)
	}
	run("sensors", "/bin/bench", "sensors", "--json")
	for _, name := range []string{"energy", "input", "frame", "monitor"} {
		if name == "monitor" {
			if err := describeRails(); err != nil {
				return err
			}
			run("described", "/bin/bench", "sensors", "--json")
		}
		run(name, "/bin/bench", "run", "/"+name+".json", "--out", "/tmp/"+name)
		if err := os.Rename("/tmp/accounts", "/tmp/"+name+" accounts"); err != nil {
			return err
		}
		if err := show("/tmp/"+name+" accounts", "/tmp/"+name+"/"+name+"_energy.csv", "/tmp/"+name+"/"+name+"_power.csv"); err != nil {
			return err
		}
	}
	if err := os.Remove(railsFile); err != nil {
		return err
	}
	if err := switchPower(); err != nil {
		return err
	}
	return showTimes()
}

// measureBoard has bench measure the guest as its owner would, and prints the file that comes of it.
func measureBoard() error {
	run("board", "/bin/bench", "board", "--out", "/tmp/guest")
	text, err := os.ReadFile("/tmp/guest.zip")
	if err != nil {
		return err
	}
	fmt.Printf("== guest.zip\n%s\n", base64.StdEncoding.EncodeToString(text))
	return nil
}

// railsFile is the user's, which says what the INA226 measures.
const railsFile = "/etc/bench/rails.json"

func describeRails() error {
	if err := os.MkdirAll(filepath.Dir(railsFile), 0o755); err != nil {
		return err
	}
	return os.WriteFile(railsFile, []byte(`{"board": "the guest", "source": "lab/guest", "rails": [
		{"driver": "ina226", "address": "*-0045", "name": "VDD_SOM", "role": "total", "feeds": "module"},
		{"label": "VIN", "role": "carrier", "feeds": "board"}]}`), 0o644)
}

// setClock sets the clock while bench measures, a day forwards and two days back:
// nothing that is measured may depend on it.
func setClock() {
	const day = 24 * 60 * 60
	for i := 0; ; i++ {
		time.Sleep(150 * time.Millisecond)
		var t unix.Timeval
		if err := unix.Gettimeofday(&t); err != nil {
			fmt.Println("guest: the clock:", err)
			return
		}
		t.Sec += []int64{day, -2 * day, day}[i%3]
		if err := unix.Settimeofday(&t); err != nil {
			fmt.Println("guest: the clock:", err)
			return
		}
	}
}

// board is a Jetson's files, for its power modes.
const board = "/board"

func switchModes() error {
	os.Setenv("BENCH_TREE", board)
	run("modes", "/bin/bench", "modes", "--root", board)
	run("switching", "/bin/bench", "run", "/modes.json", "--power-modes", "0,MAXQ", "--root", board, "--out", "/tmp/modes")
	left, _ := filepath.Glob("/var/lib/bench/power-mode.json")
	fmt.Println("== journal")
	fmt.Println(strings.Join(left, " "))
	return show("/tmp/modes/guest_time.csv", board+"/switches", board+"/sys/class/devfreq/17000000.gp10b/max_freq")
}

// switchPower has bench measure wave through the drivers in two modes of the board, which gets the chips of
// /sys.
func switchPower() error {
	if err := os.Symlink("/sys/bus", board+"/sys/bus"); err != nil {
		return err
	}
	run("power of modes", "/bin/bench", "run", "/watts.json", "--power-modes", "0,MAXQ", "--root", board, "--out", "/tmp/watts")
	if err := os.Rename("/tmp/accounts", "/tmp/watts accounts"); err != nil {
		return err
	}
	run("modes compared", "/bin/bench", "compare", "/tmp/watts", "--by", "power_mode")
	return show("/tmp/watts accounts", "/tmp/watts/watts_time.csv", "/tmp/watts/watts_energy.csv", "/tmp/watts/watts_power.csv")
}

// showTimes prints what says when the runs and their points were, in a section for
// each file. The rest of a journal is long, and each byte takes the emulated line's time.
func showTimes() error {
	for _, run := range []string{"modes", "energy"} {
		for _, file := range []string{"run.json", "journal.jsonl"} {
			text, err := os.Open(filepath.Join("/tmp", run, file))
			if err != nil {
				return err
			}
			fmt.Printf("== %s %s\n", run, file)
			for d := json.NewDecoder(text); ; {
				var said times
				if err := d.Decode(&said); err == io.EOF {
					break
				} else if err != nil {
					return fmt.Errorf("%s: %w", text.Name(), err)
				}
				if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
					return err
				}
			}
			text.Close()
		}
	}
	return nil
}

// times is what run.json and a journal's line say of when something was, word for word.
type times struct {
	Began  json.RawMessage `json:"started,omitempty"` // of the run, or a point's start with its key
	Ended  json.RawMessage `json:"ended,omitempty"`
	Result *struct {
		Started json.RawMessage `json:"started"`
		Elapsed json.RawMessage `json:"elapsed_s"`
	} `json:"result,omitempty"`
}

// show prints files, each after a line with its name.
func show(names ...string) error {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Printf("== %s\n%s", filepath.Base(name), text)
	}
	return nil
}

// run prints what a program prints, after a line with its name.
func run(name string, command ...string) {
	fmt.Println("==", name)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = "/tmp"
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	if err := cmd.Run(); err != nil {
		fmt.Println("==", name, "failed:", err)
	}
}

func load(path, parameters string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.FinitModule(int(f.Fd()), parameters, 0)
}

// findBus is the name of the stub's bus, e.g. "i2c-0".
func findBus() (string, error) {
	names, err := filepath.Glob(kernel + "/bus/i2c/devices/i2c-*/name")
	if err != nil {
		return "", err
	}
	for _, n := range names {
		if text, _ := os.ReadFile(n); strings.HasPrefix(string(text), "SMBus stub") {
			return filepath.Base(filepath.Dir(n)), nil
		}
	}
	return "", fmt.Errorf("no stub bus among %v", names)
}

// showBoard makes /sys: the drivers' own files under the labels that the device trees
// of an AGX Orin and of a Thor's board give their rails; chips without a device tree
// have none.
func showBoard(bus string) error {
	labels := map[int][]string{0x40: {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}, 0x41: {"NC", "VDDQ_VDD2_1V8AO", "NC"}, inputChip: {"VIN"}, monitorChip: nil}
	for address, names := range labels {
		driver := "ina3221"
		switch address {
		case inputChip:
			driver = "ina238"
		case monitorChip:
			driver = "ina2xx"
		}
		device := fmt.Sprintf("%s-00%02x", strings.TrimPrefix(bus, "i2c-"), address)
		real, err := filepath.Glob(filepath.Join(kernel, "bus/i2c/drivers", driver, device, "hwmon/hwmon*"))
		if err != nil || len(real) != 1 {
			return fmt.Errorf("the driver made no hwmon device for %s: %v", device, real)
		}
		folder := filepath.Join("/sys/bus/i2c/drivers", driver, device, "hwmon", filepath.Base(real[0]))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		files, err := os.ReadDir(real[0])
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := os.Symlink(filepath.Join(real[0], f.Name()), filepath.Join(folder, f.Name())); err != nil {
				return err
			}
		}
		for i, name := range names {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("in%d_label", i+1)), []byte(name+"\n"), 0o644); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"devices", "class", "kernel", "module", "fs"} {
		if err := os.Symlink(filepath.Join(kernel, name), "/sys/"+name); err != nil {
			return err
		}
	}
	return nil
}
