package dynlib

import (
	"os"
	"strconv"
	"strings"
)

// osRelease is the file that names the distribution (os-release(5)).
const osRelease = "/etc/os-release"

// openBLASPackage returns Debian's package of OpenBLAS with its LAPACK for the distribution that file
// describes. Before Ubuntu 20.04 and Debian 11 it had another name.
func openBLASPackage(file string) string {
	text, _ := os.ReadFile(file) // without the file, the name in present releases is used
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		fields[name] = strings.Trim(value, `"'`)
	}
	first := map[string]float64{"ubuntu": 20.04, "debian": 11}[fields["ID"]]
	if version, err := strconv.ParseFloat(fields["VERSION_ID"], 64); err == nil && version < first {
		return "libopenblas-base"
	}
	return "libopenblas0-pthread"
}
