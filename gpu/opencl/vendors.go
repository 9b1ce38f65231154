package opencl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/trust"
)

// vendors is the folder of the files that name the drivers' libraries to a loader, one a file (Khronos, cl_khr_icd).
const vendors = "/etc/OpenCL/vendors"

// mostName is far more bytes than a file with a library's name has.
const mostName = 4096

// checkVendors returns an error that wraps trust.ErrUntrusted if others than the user and root can change a
// file in folder that names a driver, or the driver if it is named by its path: the loader runs code of each
// in this process. The dynamic linker looks for a name without a path in the system's folders.
func checkVendors(u trust.User, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.icd"))
	if err != nil {
		return err
	}
	for _, path := range files {
		if err := u.Check(path); err != nil {
			return fmt.Errorf("%s names an OpenCL driver, which would run as you: %w", path, err)
		}
		f, err := os.OpenFile(path, os.O_RDONLY|linux.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		text := make([]byte, mostName)
		n, _ := f.Read(text) // an empty file names none
		f.Close()
		library := strings.TrimSpace(string(text[:n]))
		if !filepath.IsAbs(library) {
			continue
		}
		if err := u.Check(library); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s, an OpenCL driver by %s, would run as you: %w", library, path, err)
		}
	}
	return nil
}
