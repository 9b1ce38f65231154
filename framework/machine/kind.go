package machine

import (
	"strings"

	"example.org/bench/internal/lazy"
)

// Kind is what kind of machine files are of.
type Kind string

// The kinds.
const (
	Real     Kind = "real"
	Guest    Kind = "guest"    // of a virtual machine
	Emulated Kind = "emulated" // its processor is
)

// hypervisor matches the flag by which an x86 processor says that it is a guest's.
var hypervisor = lazy.Regexp(`(?m)^flags\s*:.*\bhypervisor\b`)

// guests are words of the makers of virtual machines in what firmware says of the machine.
var guests = []string{"QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Xen", "Bochs", "OpenStack", "dummy-virt"}

// Kind is what kind of machine it is, by its processor and its firmware. architecture is that of the program, whose files
// show another processor where one is emulated for it alone.
func (t Tree) Kind(architecture string) Kind {
	cpus := t.Text("proc/cpuinfo")
	x86 := strings.Contains(cpus, "vendor_id")
	switch firmware := t.Line("sys/class/dmi/id/sys_vendor") + " " + t.Line("sys/class/dmi/id/product_name") + " " + t.DeviceTree("compatible") + " " + t.DeviceTree("model"); {
	case strings.Contains(cpus, "QEMU TCG"), strings.Contains(cpus, "QEMU Virtual CPU"), cpus != "" && x86 != (architecture == "amd64"):
		return Emulated
	case hypervisor().MatchString(cpus):
		return Guest
	default:
		for _, word := range guests {
			if strings.Contains(firmware, word) {
				return Guest
			}
		}
	}
	return Real
}
