package inspect

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
)

// bundled are the files of a machine that a bundle takes: those from which sensors, clocks, temperatures,
// facts and power modes are read. None identifies the machine's owner: no host name, address, serial
// number or user.
var bundled = []string{
	"etc/nv_tegra_release", "etc/os-release", "var/lib/nvpmodel/status", "var/lib/nvpmodel/conf_file_path",
	"proc/cpuinfo", "proc/meminfo", "proc/loadavg", "proc/sys/kernel/osrelease",
	"proc/device-tree/model", "proc/device-tree/compatible", "sys/firmware/devicetree/base/model", "sys/firmware/devicetree/base/compatible",
	"sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name", "sys/module/tegra_fuse/parameters/tegra_chip_id",
	"sys/bus/i2c/drivers/ina*/*-00*/hwmon/hwmon*/*", "sys/bus/i2c/drivers/ina*/*-00*/iio?device*/*",
	"sys/bus/i2c/drivers/ina*/*-00*/of_node/channel@*/ti,shunt-resistor-mohm", "sys/bus/i2c/drivers/ina*/*-00*/of_node/channel@*/label",
	"sys/bus/i2c/drivers/ina*/*-00*/of_node/ti,*-config",
	"sys/class/devfreq/*/*", "sys/class/devfreq/*/device/of_node/name", "sys/class/devfreq/*/device/*_mask", "sys/class/devfreq/*/device/power/control",
	"sys/class/hwmon/hwmon*/*", "sys/class/powercap/*/*", "sys/class/power_supply/*/type", "sys/class/power_supply/*/scope", "sys/class/power_supply/*/status",
	"sys/class/thermal/thermal_zone*/*", "sys/class/thermal/cooling_device*/*", "sys/devices/pwm-fan/cur_pwm",
	"sys/devices/system/cpu/online", "sys/devices/system/cpu/possible", "sys/devices/system/cpu/cpu*/online",
	"sys/devices/system/cpu/cpu*/cpufreq/*", "sys/devices/system/cpu/cpufreq/policy*/*",
	"sys/devices/system/cpu/cpu*/topology/thread_siblings_list", "sys/devices/system/cpu/cpu*/cache/index*/*",
	"sys/kernel/nvpmodel_*cap/*", "sys/kernel/debug/bpmp/debug/clk/emc/*", "sys/kernel/debug/clk/*emc/clk_rate",
}

// mostBytes is the largest size of a file in a bundle; attributes have a page.
const mostBytes = 64 << 10

// Bundle is a copy of the files that describe a board, under other names than a root's.
type Bundle struct {
	Files []BundledFile
	names map[string]bool
}

// BundledFile is a file of a bundle, by its name without the root.
type BundledFile struct {
	Name string
	Text []byte
}

// errnoFile lists the reads that failed, a name and an error on each line, as the fixtures of boards do.
const errnoFile = "_errno"

// serial matches the lines of /proc/cpuinfo that identify a board.
var serial = lazy.Regexp(`(?mi)^serial\s*:.*\n?`)

// comment matches what people write into a configuration file.
var comment = lazy.Regexp(`(?m)(^|\s)#.*$`)

// confFiles matches the board's own files that an nvpmodel.conf names.
var confFiles = lazy.Regexp(`(?m)\s/((?:sys|opt/nvidia)/[^\s#]+)`)

// Bundle returns a copy of the files below root, the findings without what identifies a person, and the
// tool's version.
func (e *Examination) Bundle(root, version string) (*Bundle, error) {
	b := Collect(root)
	private := PrivateOf(root)
	for i := range b.Files {
		b.Files[i].Text = comment().ReplaceAllFunc(private.HideSerials(b.Files[i].Text), func(text []byte) []byte { return []byte(private.Hide(string(text))) })
	}
	found, err := json.MarshalIndent(Shareable(e, root), "", "  ")
	if err != nil {
		return nil, err
	}
	b.Add("doctor.json", append(found, '\n'))
	b.Add("version.txt", []byte(version))
	return b, nil
}

// Collect reads the files below root. It follows links, so the copies are files.
func Collect(root string) *Bundle {
	b := &Bundle{names: map[string]bool{}}
	tree := machine.Tree(root)
	files := os.DirFS(root)
	var failed strings.Builder
	chips := map[string]bool{} // folders, by the target of links
	for _, pattern := range bundled {
		matches, _ := fs.Glob(files, pattern) // a folder that cannot be read has no matches
		for _, name := range matches {
			if strings.HasPrefix(name, "sys/bus/i2c/") && !b.names[path.Dir(name)] {
				real, err := filepath.EvalSymlinks(tree.Path(path.Dir(name)))
				if err == nil && chips[real] {
					continue // iio_device is iio:device0
				}
				chips[real], b.names[path.Dir(name)] = true, true
			}
			b.add(tree, name, &failed)
		}
	}
	conf := "etc/nvpmodel.conf"
	if other := strings.TrimPrefix(tree.Text("var/lib/nvpmodel/conf_file_path"), "/"); other != "" && !tree.Exists(conf) {
		conf = other
	}
	if text, err := bounded.ReadFile(tree.Target(conf), bounded.MostText); err == nil {
		b.put(conf, text)
		for _, m := range confFiles().FindAllSubmatch(text, -1) {
			if name := path.Clean(string(m[1])); filepath.IsLocal(name) && tree.Exists(name) {
				b.add(tree, name, &failed)
			}
		}
	}
	if failed.Len() > 0 {
		b.put(errnoFile, []byte(failed.String()))
	}
	return b
}

// add copies a small regular file, or notes why it cannot be read.
func (b *Bundle) add(tree machine.Tree, name string, failed io.Writer) {
	if i, err := os.Stat(tree.Path(name)); b.names[name] || err != nil || !i.Mode().IsRegular() || i.Mode().Perm()&0o444 == 0 {
		return
	}
	text, err := read(tree.Path(name))
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
		fmt.Fprintf(failed, "%s %s\n", name, errnoName(errno))
	case err != nil:
		return
	case name == "proc/cpuinfo":
		text = serial().ReplaceAll(text, nil)
	}
	b.put(name, text)
}

func (b *Bundle) put(name string, text []byte) {
	b.names[name] = true
	b.Files = append(b.Files, BundledFile{name, text})
}

// read reads a file of at most mostBytes.
func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if len(text) > mostBytes {
		return nil, errors.New("too large")
	}
	return text, err
}

func errnoName(e syscall.Errno) string {
	names := map[syscall.Errno]string{syscall.EAGAIN: "EAGAIN", syscall.ENODATA: "ENODATA", syscall.EIO: "EIO", syscall.EACCES: "EACCES", syscall.EPERM: "EPERM", syscall.EINVAL: "EINVAL"}
	if name := names[e]; name != "" {
		return name
	}
	return fmt.Sprintf("%d", int(e))
}

// Shareable returns an examination without the user's folders, and without what names the machine that was examined or its
// users.
func Shareable(e *Examination, root string) *Examination {
	private := PrivateOf(root)
	s := &Examination{}
	for _, f := range e.Findings {
		if f.Section == folders {
			continue
		}
		f.Text = private.Hide(f.Text)
		s.Findings = append(s.Findings, f)
	}
	return s
}

// Add puts a text file beside the copies; its name gets an underscore in front.
func (b *Bundle) Add(name string, text []byte) { b.put("_"+name, text) }

// WriteTo writes the bundle as a compressed tar archive.
func (b *Bundle) WriteTo(w io.Writer) (int64, error) {
	slices.SortFunc(b.Files, func(x, y BundledFile) int { return strings.Compare(x.Name, y.Name) })
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	for _, f := range b.Files {
		h := tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Mode: 0o644, Size: int64(len(f.Text)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := t.WriteHeader(&h); err != nil {
			return 0, err
		}
		if _, err := t.Write(f.Text); err != nil {
			return 0, err
		}
	}
	return 0, errors.Join(t.Close(), z.Close())
}
