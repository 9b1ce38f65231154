package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/test/tree"
)

// Of a copied tree doctor prints what the tree tells: nothing is of this
// machine, and what the tree lacks is not good.
func TestDoctorOfATree(t *testing.T) {
	t.Parallel()
	root := tree.Unpack(t, "../framework/powermode/testdata/jetson-nano-l4t32.txtar")
	write(t, root+"/proc/device-tree/model", "NVIDIA Jetson Nano Developer Kit\x00")
	// By a short name: a long one is a note below, and how long depends on who runs the tests.
	status, out, _ := execute(t, root, benchPath, "doctor", "--root", ".")
	for _, want := range []string{
		"ok       board          NVIDIA Jetson Nano Developer Kit\n",
		"missing  CPU            not told by .\n",
		"missing  memory         not told by .\n",
		"not here ina3221        no INA3221 power monitor below sys/",
		"ok       nvpmodel       0 MAXN, 1 5W\n",
		"ok       mode now       0 MAXN\n",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
	for _, here := range []string{"0 CPUs", "0.0 GiB", "usable", "amd64", "arm64", "load ", "warning", "NVRTC", "simulator", "fftw", "cache"} {
		if strings.Contains(out, here) {
			t.Errorf("%q is not of the tree:\n%s", here, out)
		}
	}
	// What the clocks show counts, not only what nvpmodel says.
	write(t, root+"/var/lib/nvpmodel/status", "pmode:0001 fmode:quiet")
	_, out, _ = execute(t, t.TempDir(), benchPath, "doctor", "--root", root)
	if !strings.Contains(out, "ok       mode now       1 5W\n") || !strings.Contains(out, "warning  mode now       nvpmodel says mode 1 (5W), but ") {
		t.Errorf("a mode that is not on:\n%s", out)
	}
	// Packages are named as that board's release has them, not this machine's.
	for release, want := range map[string]string{
		"R28 (release), REVISION: 2.1": "ok       packages       of L4T 28.2, CUDA 9.0: cuda-nvrtc-9-0, which compiles kernels; for peers cuda-cufft-9-0, ",
		"R32 (release), REVISION: 7.1": "of L4T 32.7, CUDA 10.2: cuda-nvrtc-10-2, which compiles kernels; for peers cuda-cufft-10-2, libcublas10, ",
		"R35 (release), REVISION: 4.1": "of L4T 35.4, CUDA 11.4: cuda-nvrtc-11-4, which compiles kernels; for peers libcufft-11-4, libcublas-11-4, ",
		"R36 (release), REVISION: 4.3": "of L4T 36.4, CUDA 12.6: cuda-nvrtc-12-6, ",
		"R38 (release), REVISION: 2.0": "of L4T 38.2, CUDA 13.0: cuda-nvrtc-13-0, ",
		"R39 (release), REVISION: 0.0": "of L4T 39.0, CUDA 13.2: cuda-nvrtc-13-2, ",
	} {
		write(t, root+"/etc/nv_tegra_release", "# "+release+", GCID: 1, BOARD: generic\n")
		if _, out, _ := execute(t, t.TempDir(), benchPath, "doctor", "--root", root); !strings.Contains(out, want) {
			t.Errorf("%s: want %q in\n%s", release, want, out)
		}
	}
}

// TestTreeWithoutProcAndModes: a copied tree that has neither /proc nor nvpmodel.conf names its
// board by the firmware's folder in /sys and shows the clocks that it has.
func TestTreeWithoutProcAndModes(t *testing.T) {
	t.Parallel()
	root := tree.Unpack(t, "../framework/powermode/testdata/jetson-nano-l4t32.txtar")
	for _, gone := range []string{"proc", "etc", "var"} {
		if err := os.RemoveAll(filepath.Join(root, gone)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, root+"/sys/firmware/devicetree/base/model", "NVIDIA Jetson Nano Developer Kit\x00")
	write(t, root+"/sys/firmware/devicetree/base/compatible", "nvidia,p3450-0000\x00nvidia,tegra210\x00")
	status, out, _ := execute(t, t.TempDir(), benchPath, "doctor", "--root", root)
	for _, want := range []string{
		"ok       board          NVIDIA Jetson Nano Developer Kit\n",
		"ok       clock CPU 0-3  102 MHz now, 102 MHz to 1479 MHz, 15 frequencies from 102 MHz to 1479 MHz\n",
		"ok       clock GPU      76.8 MHz now, 76.8 MHz to 921.6 MHz, 12 frequencies from 76.8 MHz to 921.6 MHz\n",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
	status, out, _ = execute(t, t.TempDir(), benchPath, "modes", "--root", root)
	for _, want := range []string{
		"no power modes here: there is no nvpmodel.conf below " + root + "\nthe modes are not known; the clocks are:\n",
		"  CPU 0-3  102 MHz   1479 MHz   102 MHz\n", "  GPU      76.8 MHz  921.6 MHz  76.8 MHz\n",
		"\n  CPU 0-3 can be set to 102, ", "\n  GPU can be set to 76.8, 153.6, ",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
}
