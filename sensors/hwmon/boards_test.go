package hwmon

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"example.org/bench/framework"
	"example.org/bench/framework/rails"
	"example.org/bench/test/tree"
)

// Trees of boards by public facts: drivers, files, labels and addresses are the sources', values are
// made up.

// file is a file of a tree.
func file(name, content string) txtar.File {
	return txtar.File{Name: name, Data: []byte(content + "\n")}
}

// chipFiles is a hwmon device below its class, as a link to the device that has it. The pairs are
// files' names and contents.
func chipFiles(number int, device string, pairs ...string) []txtar.File {
	folder := fmt.Sprintf("sys/devices/%s/hwmon/hwmon%d", device, number)
	files := []txtar.File{
		{Name: fmt.Sprintf("sys/class/hwmon/hwmon%d", number), Data: []byte("-> ../../devices/" + device + fmt.Sprintf("/hwmon/hwmon%d", number))},
		{Name: folder + "/device", Data: []byte("-> ../../../" + device[strings.LastIndex(device, "/")+1:])},
	}
	for i := 0; i < len(pairs); i += 2 {
		files = append(files, file(folder+"/"+pairs[i], pairs[i+1]))
	}
	return files
}

// machineFiles is a tree of a model and chips.
func machineFiles(model string, chips ...[]txtar.File) *txtar.Archive {
	return &txtar.Archive{Files: append([]txtar.File{file("proc/device-tree/model", model)}, slices.Concat(chips...)...)}
}

// ina231 is a chip as Linux's driver ina2xx shows it ("Kernel driver ina2xx"): in0 is the shunt.
func ina231(number, address int, microwatts string) []txtar.File {
	return chipFiles(number, fmt.Sprintf("platform/12c60000.i2c/i2c-0/0-%04x", address), "name", "ina231", "in0_input", "1", "in1_input", "1000",
		"curr1_input", "500", "power1_input", microwatts, "shunt_resistor", "10000", "update_interval", "2")
}

// odroidXU3: four INA231 of 10 mΩ on the first I2C bus (Linux, exynos5422-odroidxu3.dts).
func odroidXU3() *txtar.Archive {
	return machineFiles("Hardkernel Odroid XU3", ina231(3, 0x45, "150000"), ina231(2, 0x44, "300000"), ina231(1, 0x41, "100000"), ina231(0, 0x40, "1250000"))
}

// odroidXU4 is an XU3 without them (Linux, exynos5422-odroidxu4.dts).
func odroidXU4() *txtar.Archive {
	return machineFiles("Hardkernel Odroid XU4", chipFiles(0, "platform/pwm-fan", "name", "pwmfan", "pwm1", "120"))
}

// rock5B: no monitor (Linux, rk3588-rock-5b.dts); thermal zones and the USB-C port show hwmon devices,
// of which the latter has the contract's voltage and current (Linux, tcpm.c).
func rock5B() *txtar.Archive {
	return machineFiles("Radxa ROCK 5B", chipFiles(0, "virtual/thermal/thermal_zone0", "name", "package_thermal", "temp1_input", "41000"),
		chipFiles(1, "platform/feac0000.i2c/i2c-4/4-0022", "name", "tcpm_source_psy_4_0022", "in0_input", "20000", "curr1_input", "3250"))
}

// pi5: rpi_volt has an alarm alone, rp1_adc voltages without currents (Linux, raspberrypi-hwmon.c;
// Raspberry Pi's rp1-adc.c).
func pi5() *txtar.Archive {
	return machineFiles("Raspberry Pi 5 Model B Rev 1.0", chipFiles(0, "virtual/thermal/thermal_zone0", "name", "cpu_thermal", "temp1_input", "50000"),
		chipFiles(1, "platform/soc/raspberrypi-hwmon", "name", "rpi_volt", "in0_lcrit_alarm", "0"),
		chipFiles(2, "platform/rp1_adc", "name", "rp1_adc", "in1_input", "1800", "in2_input", "1790"))
}

// ryzen is an APU: amdgpu's power includes the CPU, vddnb is of an APU alone (Linux, "GPU
// Power/Thermal Controls and Monitoring"); k10temp shows temperatures, zenpower parts (zenpower's
// README).
func ryzen() *txtar.Archive {
	return machineFiles("", chipFiles(0, "pci0000:00/0000:04:00.0", "name", "amdgpu", "in0_input", "900", "in0_label", "vddgfx", "in1_input", "800", "in1_label", "vddnb",
		"power1_average", "11000000", "power1_input", "12000000", "power1_label", "PPT", "temp1_input", "45000"),
		chipFiles(1, "pci0000:00/0000:00:18.3", "name", "k10temp", "temp1_input", "50000"),
		chipFiles(2, "pci0000:00/0000:00:18.4", "name", "zenpower", "in1_input", "1000", "in1_label", "SVI2_Core", "curr1_input", "5000", "curr1_label", "SVI2_C_Core",
			"power1_input", "5000000", "power1_label", "SVI2_P_Core", "power2_input", "2000000", "power2_label", "SVI2_P_SoC"))
}

// radeon is a discrete AMD GPU: it has no vddnb.
func radeon() *txtar.Archive {
	return machineFiles("", chipFiles(0, "pci0000:00/0000:03:00.0", "name", "amdgpu", "in0_input", "900", "in0_label", "vddgfx", "power1_average", "80000000", "power1_label", "PPT"))
}

// grace is a Grace Hopper's four ACPI meters, which have their files in the device's folder (Linux,
// acpi_power_meter.c; NVIDIA Grace Performance Tuning Guide, "Power Telemetry").
func grace() *txtar.Archive {
	var chips [][]txtar.File
	for i, name := range []string{"Module", "Grace", "CPU", "SysIO"} {
		device := fmt.Sprintf("LNXSYSTM:00/ACPI000D:%02d", i)
		files := chipFiles(i, device, "name", "power_meter")
		for _, f := range [][2]string{{"power1_average", fmt.Sprintf("%d", (4-i)*100000000)}, {"power1_average_interval", "50"}, {"power1_oem_info", name + " Power Socket 0"}} {
			files = append(files, file("sys/devices/"+device+"/"+f[0], f[1]))
		}
		chips = append(chips, files)
	}
	return machineFiles("", chips...)
}

// psu is a power supply by PMBus (Linux, "Kernel driver pmbus"), whose output has no power of its own,
// beside a chip that counts energy.
func psu() *txtar.Archive {
	return machineFiles("", chipFiles(0, "platform/i2c-7/7-0058", "name", "pmbus", "in1_input", "230000", "in1_label", "vin", "in2_input", "12000", "in2_label", "vout1",
		"curr1_input", "900", "curr1_label", "iin", "curr2_input", "15000", "curr2_label", "iout1", "curr3_input", "1", "curr3_label", "iout2"),
		chipFiles(1, "platform/i2c-7/7-0045", "name", "ina228", "power1_input", "7000000", "energy1_input", "123000000"))
}

// describe is a line for each channel: address, name, role, what it feeds, and its reading.
func describe(t *testing.T, s framework.Sensor) string {
	t.Helper()
	v := make([]float64, len(s.Channels()))
	if err := s.Sample(v); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, c := range s.Channels() {
		lines = append(lines, fmt.Sprintf("%s %s %s %q %.6g %s", c.Address, c.Name, c.Role, c.Feeds, v[i], c.Unit))
	}
	return strings.Join(lines, "\n")
}

func TestBoards(t *testing.T) {
	const apu = "0000:04:00.0 PPT %s \"soc\" 12 W"
	for _, c := range []struct {
		name  string
		tree  *txtar.Archive
		env   framework.SensorEnv
		want  string
		notes string // joined by lines
	}{
		{"Odroid-XU3", odroidXU3(), framework.SensorEnv{}, `0-0040 VDD_ARM total "cpu" 1.25 W
0-0041 VDD_MEM total "memory" 0.1 W
0-0044 VDD_G3D total "gpu" 0.3 W
0-0045 VDD_KFC total "cpu" 0.15 W`, `the board has no rail for its input: the total is the cores, the GPU and the memory, without USB, network, eMMC and fan
the total is VDD_ARM + VDD_MEM + VDD_G3D + VDD_KFC, by the known rails of Odroid-XU3`},
		// The package's parts are not added to it.
		{"APU", ryzen(), framework.SensorEnv{}, `0000:00:18.4 SVI2_P_Core part "cpu" 5 W
0000:00:18.4 SVI2_P_SoC part "soc" 2 W
` + fmt.Sprintf(apu, "total"), `PPT is the package: CPU, GPU and memory controller, without the memory and the board
the total is PPT, by the known rails of an AMD APU`},
		{"APU beside RAPL", ryzen(), framework.SensorEnv{HasTotal: true}, `0000:00:18.4 SVI2_P_Core part "cpu" 5 W
0000:00:18.4 SVI2_P_SoC part "soc" 2 W
` + fmt.Sprintf(apu, "part"), "PPT: not added, as another sensor has the total"},
		{"a card, CPU measured", radeon(), framework.SensorEnv{}, `0000:03:00.0 PPT carrier "gpu" 80 W`, ""},
		{"a card, measured", radeon(), framework.SensorEnv{PCI: "00000000:03:00.0"}, `0000:03:00.0 PPT total "gpu" 80 W`, "the total is PPT of 0000:03:00.0, the GPU that is measured"},
		{"a card, another measured", radeon(), framework.SensorEnv{PCI: "0000:05:00.0"}, `0000:03:00.0 PPT carrier "gpu" 80 W`, ""},
		{"Grace", grace(), framework.SensorEnv{}, `ACPI000D:00 Module_Power_Socket_0 carrier "module" 400 W
ACPI000D:01 Grace_Power_Socket_0 total "cpu, memory" 300 W
ACPI000D:02 CPU_Power_Socket_0 part "cpu" 200 W
ACPI000D:03 SysIO_Power_Socket_0 part "soc" 100 W`, `Grace Power is a CPU with its memory and inputs and outputs; Module Power has the GPU of a superchip too
the total is Grace Power Socket 0, by the known rails of NVIDIA Grace`},
		// Rails of unknown role are added to nothing.
		{"unknown", psu(), framework.SensorEnv{}, `7-0045 ina228-7-0045 unknown "" 7 W
7-0045 ina228-7-0045_counter unknown "" 123 J
7-0058 iin unknown "" 207 W
7-0058 iout1 unknown "" 180 W`, `curr3_input of pmbus (7-0058) left out: nothing says which voltage goes with it
no total: the rails ina228-7-0045, iin, iout1 belong to no known board: /etc/bench/rails.json says what they feed (docs/power.md)`},
		{"an INA3221 without labels", machineFiles("", chipFiles(0, "platform/i2c-1/1-0040", "name", "ina3221", "in1_input", "5000", "in1_enable", "1", "curr1_input", "100",
			"in2_input", "5000", "in2_enable", "0", "curr2_input", "100", "in4_input", "1", "curr4_input", "300")), framework.SensorEnv{}, `1-0040 ina3221-1-0040 unknown "" 0.5 W`,
			`in2_input of ina3221 (1-0040) left out: disabled
curr4_input of ina3221 (1-0040) left out: it is no rail's
no total: the rails ina3221-1-0040 belong to no known board: /etc/bench/rails.json says what they feed (docs/power.md)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.env.Root = tree.Write(t, c.tree)
			s, err := open(c.env, rails.Open)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := describe(t, s); got != c.want {
				t.Errorf("rails\n%s\nwant\n%s", got, c.want)
			}
			if got := strings.Join(s.Notes(), "\n"); got != c.notes {
				t.Errorf("notes\n%s\nwant\n%s", got, c.notes)
			}
		})
	}
}

// TestNoMonitor: what a board cannot measure is one line.
func TestNoMonitor(t *testing.T) {
	for _, c := range []struct {
		tree *txtar.Archive
		want string
	}{
		{odroidXU4(), "no power among what pwmfan shows: such a board's power needs a meter, by the sensor external"},
		{rock5B(), "no power among what tcpm_source_psy_4_0022, package_thermal shows: such a board's power needs a meter, by the sensor external"},
		{pi5(), "no power among what rpi_volt, rp1_adc, cpu_thermal shows, of which rpi_volt is an alarm of too low a voltage: such a board's power needs a meter, by the sensor external"},
	} {
		_, err := Factory().Open(framework.SensorEnv{Root: tree.Write(t, c.tree)})
		if _, absent := err.(framework.NotHere); !absent || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestTimes: what a driver tells of means, by chip.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		tree               *txtar.Archive
		averaging, updates float64
	}{{odroidXU3(), 0.002, 0.002}, {grace(), 0.05, 0}, {ryzen(), -1, 0}} {
		s, err := open(framework.SensorEnv{Root: tree.Write(t, c.tree)}, rails.Open)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.Averaging() != c.averaging || s.ChannelAveraging(0) != c.averaging || s.ChannelUpdates(0) != c.updates {
			t.Errorf("averages over %v, %v s, new after %v s; want %v, %v", s.Averaging(), s.ChannelAveraging(0), s.ChannelUpdates(0), c.averaging, c.updates)
		}
	}
}

// TestMeasuringReadsWhatCounts: unknown rails are not polled, nor is a card that is not measured read.
func TestMeasuringReadsWhatCounts(t *testing.T) {
	root := tree.Write(t, psu())
	s, err := open(framework.SensorEnv{Root: root}, rails.Open)
	if err != nil || len(s.Channels()) != 4 {
		t.Fatal(err)
	}
	v := make([]float64, 4)
	if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations per sample", n)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s.Sample(v); !math.IsNaN(v[0]) || s.Failure(0) == nil {
		t.Errorf("a closed sensor reads %v", v)
	}
	if _, err := open(framework.SensorEnv{Root: root, Measuring: true}, rails.Open); err == nil || !strings.Contains(err.Error(), "not read while measuring") {
		t.Errorf("unknown rails: %v", err)
	}
	asleep := func(path string) (rails.Attribute, error) {
		f, err := rails.Open(path)
		return sleeping{f, t}, err
	}
	if _, err := open(framework.SensorEnv{Root: tree.Write(t, radeon()), Measuring: true}, asleep); err == nil || !strings.Contains(err.Error(), "not read while measuring, as they are no part of the total: PPT") {
		t.Errorf("a card: %v", err)
	}
}

// sleeping is an attribute that must not be read.
type sleeping struct {
	rails.Attribute
	t *testing.T
}

func (s sleeping) ReadAt(b []byte, off int64) (int, error) {
	s.t.Error("a card that sleeps is read")
	return s.Attribute.ReadAt(b, off)
}
