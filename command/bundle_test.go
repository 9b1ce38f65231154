package command_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
	"example.org/bench/test/tree"
)

// overlay is a tree of several archives.
func overlay(t *testing.T, archives ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, a := range archives {
		if out, err := exec.Command("cp", "-a", tree.Unpack(t, a)+"/.", root).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return root
}

// A bundle of a board, unpacked, is to doctor what the board is, names no one, and is
// listed whole before it is written.
func TestBundle(t *testing.T) {
	t.Parallel()
	for _, board := range []string{"jetson-thor-l4t38", "jetson-orin-l4t36", "jetson-tx2-l4t32"} {
		root := overlay(t, "../sensors/ina3221/testdata/"+board+".txtar", "../framework/powermode/testdata/"+board+".txtar")
		const secret = "1424919012345"
		for _, name := range []string{"etc/hostname", "etc/passwd", "etc/machine-id", "sys/class/net/eth0/address", "proc/cmdline",
			"sys/class/dmi/id/product_serial", "proc/device-tree/serial-number", "root/.ssh/id_rsa", "etc/nvpmodel/other.conf"} {
			if board == "jetson-thor-l4t38" && strings.HasPrefix(name, "proc/device-tree") {
				name = strings.Replace(name, "proc/device-tree", "sys/firmware/devicetree/base", 1)
			}
			write(t, filepath.Join(root, name), secret)
		}
		write(t, filepath.Join(root, "proc/cpuinfo"), "processor\t: 0\nmodel name\t: ARMv8 Processor rev 3\nSerial\t\t: "+secret+"\n")
		write(t, filepath.Join(root, "sys/devices/pwm-fan/cur_pwm"), "120\n")
		if board == "jetson-tx2-l4t32" { // over how long NVIDIA's driver averages
			for _, chip := range []string{"0-0040", "0-0041", "0-0042", "0-0043"} {
				write(t, filepath.Join(root, "sys/bus/i2c/drivers/ina3221x", chip, "of_node/ti,continuous-config"), "\x00\x00\x7c\x07")
				write(t, filepath.Join(root, "sys/bus/i2c/drivers/ina3221x", chip, "of_node/ti,trigger-config"), "\x00\x00\x70\x03")
			}
			if _, text, _ := execute(t, t.TempDir(), benchPath, "sensors", "--root", root); !strings.Contains(text, "0-0040 averages over 430 ms, by its device tree") {
				t.Errorf("%s: the device tree is not read:\n%s", board, text)
			}
		}
		dir := t.TempDir()
		status, list, fault := execute(t, dir, benchPath, "doctor", "--root", root, "--bundle", "board.tar.gz")
		if status != 0 || fault != "" {
			t.Fatalf("%s: status %d: %s\n%s", board, status, fault, list)
		}
		packed, err := os.ReadFile(filepath.Join(dir, "board.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil || bytes.Contains(plain, []byte(secret)) || bytes.Contains(plain, []byte(root)) {
			t.Errorf("%s: the bundle identifies someone: %v", board, err)
		}
		names, err := exec.Command("tar", "-tzf", filepath.Join(dir, "board.tar.gz")).Output()
		if err != nil {
			t.Fatal(err)
		}
		copied := tree.Unpack(t, filepath.Join(dir, "board.tar.gz"))
		for name := range strings.Lines(string(names)) {
			if !regexp.MustCompile(`(?m)^ *\d+  ` + regexp.QuoteMeta(strings.TrimSpace(name)) + "$").MatchString(list) {
				t.Errorf("%s: %s is not listed", board, name)
			}
		}
		if got, want := machine.Tree(copied).State(), machine.Tree(root).State(); !reflect.DeepEqual(got, want) || want.Fans["pwm"] != 120 {
			t.Errorf("%s: the bundle's state is %+v, want %+v", board, got, want)
		}
		if got, want := machine.Tree(copied).Temperatures(), machine.Tree(root).Temperatures(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the bundle's temperatures are %v, want %v", board, got, want)
		}
		for _, verb := range []string{"doctor", "sensors", "modes"} {
			before, after := "", ""
			if status, before, _ = execute(t, dir, benchPath, verb, "--root", root); status != 0 || before == "" {
				t.Errorf("%s: %s: status %d", board, verb, status)
			}
			_, after, _ = execute(t, dir, benchPath, verb, "--root", copied)
			reading := regexp.MustCompile(`[\d.]+ (ms|µs|s)\b`) // what a reading costs
			if a, b := reading.ReplaceAllString(strings.ReplaceAll(before, root, ""), ""), reading.ReplaceAllString(strings.ReplaceAll(after, copied, ""), ""); a != b {
				t.Errorf("%s: bench %s of the bundle shows\n%s\nwant\n%s", board, verb, b, a)
			}
		}
		if status, _, fault := execute(t, dir, benchPath, "doctor", "--root", root, "--bundle", "board.tar.gz"); status != 2 || !strings.Contains(fault, "there already") {
			t.Errorf("a second bundle of that name: status %d, %s", status, fault)
		}
	}
}
