package machine_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"example.org/bench/framework/machine"
	"example.org/bench/test/tree"
)

// TestKind: what processor and firmware say of hardware, guests and emulators.
func TestKind(t *testing.T) {
	t.Parallel()
	const jetson, intel = "processor\t: 0\nCPU implementer\t: 0x41\n", "vendor_id\t: GenuineIntel\nflags\t\t: fpu vme"
	for name, c := range map[string]struct {
		cpus, file, text, architecture string
		want                           machine.Kind
	}{
		"a Jetson":            {jetson, "proc/device-tree/model", "NVIDIA Jetson Nano", "arm64", machine.Real},
		"a server":            {intel + "\n", "sys/class/dmi/id/sys_vendor", "Dell Inc.", "amd64", machine.Real},
		"a guest on x86":      {intel + " hypervisor\n", "sys/class/dmi/id/sys_vendor", "Amazon EC2", "amd64", machine.Guest},
		"a guest on arm64":    {jetson, "sys/class/dmi/id/product_name", "KVM Virtual Machine", "arm64", machine.Guest},
		"arm64 under qemu":    {intel + "\n", "sys/class/dmi/id/sys_vendor", "Dell Inc.", "arm64", machine.Emulated},
		"a whole machine's":   {"vendor_id\t: AuthenticAMD\nmodel name\t: QEMU TCG CPU version 2.5+\nflags\t\t: hypervisor\n", "sys/class/dmi/id/sys_vendor", "QEMU", "amd64", machine.Emulated},
		"no file tells of it": {"", "sys/class/dmi/id/sys_vendor", "", "amd64", machine.Real},
	} {
		root := tree.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "proc/cpuinfo", Data: []byte(c.cpus)}, {Name: c.file, Data: []byte(c.text)}}})
		if got := machine.Tree(root).Kind(c.architecture); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
