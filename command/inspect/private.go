package inspect

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/lazy"
)

// Private knows what names a machine and its users, which nothing that is to be sent may contain.
type Private struct {
	paths  *strings.Replacer
	names  []string       // of the machine and its users
	named  *regexp.Regexp // names as words; nil: none are known
	serial *regexp.Regexp // numbers that only this machine has; nil: likewise
}

// factory are names that systems come with: they name nobody.
var factory = []string{"root", "nvidia", "jetson", "ubuntu", "debian", "user", "pi", "admin", "localhost", "localhost.localdomain", "tegra", "tegra-ubuntu", "nobody", "bench", "none", "(none)", "linux"}

// single are the files that hold one serial number, address or name of a machine, or its ID.
var single = []string{"etc/machine-id", "var/lib/dbus/machine-id", "proc/device-tree/serial-number", "sys/firmware/devicetree/base/serial-number",
	"sys/class/dmi/id/product_serial", "sys/class/dmi/id/board_serial", "sys/class/dmi/id/chassis_serial", "sys/class/dmi/id/product_uuid",
	"sys/devices/soc0/serial_number", "sys/module/tegra_fuse/parameters/tegra_chip_uid", "sys/class/net/*/address", "sys/block/*/device/serial", "sys/block/*/device/cid"}

// leastSerial is the least length of a serial number: shorter ones are also parts of other texts.
const leastSerial = 6

var (
	cpuSerial    = lazy.Regexp(`(?mi)^serial\s*:\s*(\S+)`)
	localAddress = lazy.Regexp(`(?m)\|-- (\S+)\n\s+/32 host LOCAL`)
	// anyUUID is also a GPU's; anyMAC is an address of a network's hardware.
	anyUUID  = lazy.Regexp(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	anyMAC   = lazy.Regexp(`(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b`)
	homePath = lazy.Regexp(`/(?:home|Users)/[^/\s"',:;]+`)
)

// PrivateOf finds the names, serial numbers and addresses of the machine whose files are below root, and of this process's
// user.
func PrivateOf(root string) *Private {
	files := machine.Tree(root)
	names := map[string]bool{}
	name := func(text string) {
		if text = strings.TrimSpace(text); len(text) > 1 && !slices.Contains(factory, text) {
			names[text] = true
		}
	}
	host := func(text string) {
		name(text)
		short, _, _ := strings.Cut(text, ".")
		name(short)
	}
	host(files.Text("etc/hostname"))
	host(files.Text("proc/sys/kernel/hostname"))
	for line := range strings.Lines(files.Text("etc/passwd")) {
		if f := strings.Split(strings.TrimSpace(line), ":"); len(f) == 7 && !strings.HasSuffix(f[6], "nologin") && !strings.HasSuffix(f[6], "false") && strings.HasPrefix(f[5], "/home/") {
			name(f[0])
			name(filepath.Base(f[5]))
		}
	}
	hidden := []string{}
	if files.IsLive() {
		if h, err := os.Hostname(); err == nil {
			host(h)
		}
		for _, key := range []string{"USER", "LOGNAME", "SUDO_USER"} {
			name(os.Getenv(key))
		}
	} else if clean := filepath.Clean(root); len(clean) > 1 {
		hidden = append(hidden, clean, "")
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		hidden = append(hidden, home, "~")
	}
	p := &Private{paths: strings.NewReplacer(hidden...)}
	for n := range names {
		p.names = append(p.names, n)
	}
	p.named = words(p.names, `\w`)
	p.serial = words(serials(files), `\w.`)
	return p
}

// serials are the numbers that only the machine of these files has.
func serials(files machine.Tree) (found []string) {
	add := func(text string) {
		text = strings.TrimSpace(text)
		zero := strings.Trim(text, "0:-. ") == ""
		if len(text) >= leastSerial && strings.ContainsAny(text, "0123456789") && !zero && text != "127.0.0.1" {
			found = append(found, text)
		}
	}
	for _, pattern := range single {
		matches, _ := fs.Glob(os.DirFS(string(files)), pattern) // a folder that cannot be read has no matches
		for _, file := range matches {
			add(files.Text(file))
		}
	}
	for _, m := range cpuSerial().FindAllStringSubmatch(files.Text("proc/cpuinfo"), -1) {
		add(m[1])
	}
	for _, m := range localAddress().FindAllStringSubmatch(files.Text("proc/net/fib_trie"), -1) {
		add(m[1])
	}
	return found
}

// words matches any of a list behind none of some characters; nil for an empty list.
func words(list []string, beside string) *regexp.Regexp {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // the longer first
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(^|[^` + beside + `])(?:` + strings.Join(quoted, "|") + `)(?:\b|$)`)
}

// Hide takes names, serial numbers, addresses and the user's folders out of a text. A text that is nothing but a name
// stays: it may be the name of something else.
func (p *Private) Hide(text string) string {
	if slices.Contains(p.names, text) {
		return text
	}
	text = homePath().ReplaceAllString(p.paths.Replace(text), "~")
	if p.named != nil {
		text = p.named.ReplaceAllString(text, "${1}NAME")
	}
	return string(p.HideSerials([]byte(text)))
}

// HideSerials takes serial numbers and addresses out of a file's text, whose words stay: in a board's files those are not
// a user's.
func (p *Private) HideSerials(text []byte) []byte {
	if p.serial != nil {
		text = p.serial.ReplaceAll(text, []byte("${1}SERIAL"))
	}
	return anyMAC().ReplaceAll(anyUUID().ReplaceAll(text, []byte("UUID")), []byte("ADDRESS"))
}

// Left returns a name that a text still has as a word; it is empty if there is none.
func (p *Private) Left(text []byte) string {
	if p.named == nil {
		return ""
	}
	return string(bytes.Trim(p.named.Find(text), " \t\n\"'/:,()"))
}
