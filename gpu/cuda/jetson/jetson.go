// Package jetson finds a board's release of Jetson Linux (L4T) and the names of NVIDIA's packages for it.
package jetson

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/bench/internal/lazy"
	"example.org/bench/internal/linux"
)

// Release is a release of Jetson Linux, such as 32.7; the zero Release stands for none.
type Release struct{ Major, Minor int }

var releaseForm = lazy.Regexp(`R(\d+) \(release\), REVISION: (\d+)`)

// ReleaseOf returns the release that the files below root name; the zero Release where they name none.
func ReleaseOf(root string) Release {
	text, err := linux.ReadFile(filepath.Join(root, "etc/nv_tegra_release"))
	if err != nil {
		return Release{}
	}
	return parseRelease(text)
}

// parseRelease parses such a file's text.
func parseRelease(text []byte) Release {
	m := releaseForm().FindSubmatch(text)
	if m == nil {
		return Release{}
	}
	major, _ := strconv.Atoi(string(m[1])) // digits, or too many of them, which give 0 for unknown
	minor, _ := strconv.Atoi(string(m[2]))
	return Release{major, minor}
}

// toolkits are the CUDA releases from each release of Jetson Linux on ("JetPack Archive"; release notes
// of Jetson Linux). None is known for releases later than the last.
var toolkits = []struct {
	from Release
	cuda string
}{
	{Release{24, 0}, "8.0"}, {Release{28, 2}, "9.0"}, {Release{31, 0}, "10.0"}, {Release{32, 4}, "10.2"}, {Release{34, 0}, "11.4"},
	{Release{36, 0}, "12.2"}, {Release{36, 4}, "12.6"}, {Release{38, 0}, "13.0"}, {Release{39, 0}, "13.2"},
}

// CUDA returns the release of the toolkit that comes with r, such as "10.2"; it is empty where that is
// not known.
func (r Release) CUDA() string {
	cuda := ""
	for _, t := range toolkits {
		if r.Major > t.from.Major || r.Major == t.from.Major && r.Minor >= t.from.Minor {
			cuda = t.cuda
		}
	}
	if r.Major > toolkits[len(toolkits)-1].from.Major {
		return ""
	}
	return cuda
}

// Package returns NVIDIA's package of a library for r. name is the library's name since CUDA 11
// ("libcufft", "cuda-nvrtc"). The result is empty where the toolkit's release is not known. Before CUDA
// 11 libraries were named as the compiler still is ("CUDA Installation Guide for Linux", 10.2, meta
// packages).
func (r Release) Package(name string) string {
	cuda := r.CUDA()
	if cuda == "" {
		return ""
	}
	major, _, _ := strings.Cut(cuda, ".")
	if library, ok := strings.CutPrefix(name, "lib"); ok && (len(major) == 1 || major == "10") {
		if cuda == "10.2" && library == "cublas" {
			return "libcublas10"
		}
		name = "cuda-" + library
	}
	return name + "-" + strings.ReplaceAll(cuda, ".", "-")
}

// Hint says how to get a package of the CUDA toolkit on this machine: by the Jetson's own name for it, or
// by the names in NVIDIA's repository.
func Hint(name string) string { return hint("/", name) }

func hint(root, name string) string {
	if p := ReleaseOf(root).Package(name); p != "" {
		return "`apt-get install " + p + "`"
	}
	return fmt.Sprintf("NVIDIA's repository: %[1]s-12-9 or %[1]s-13-0", name)
}

// Packages lists the packages that GPU kernels and their peers need on the board with the files below
// root; it is empty where the board's release is not known.
func Packages(root string) string {
	r := ReleaseOf(root)
	if r.CUDA() == "" {
		return ""
	}
	var peers []string
	for _, library := range []string{"libcufft", "libcublas", "libcusolver", "libcusparse", "libnpp"} {
		peers = append(peers, r.Package(library))
	}
	peers = append(peers, "libfftw3-single3", "libfftw3-double3", "libopenblas0-pthread")
	if r.Major < 34 { // Ubuntu 16.04 and 18.04
		peers[len(peers)-1] = "libopenblas-base"
	}
	return fmt.Sprintf("of L4T %d.%d, CUDA %s: %s, which compiles kernels; for peers %s", r.Major, r.Minor, r.CUDA(), r.Package("cuda-nvrtc"), strings.Join(peers, ", "))
}
