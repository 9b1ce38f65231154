package exchange

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"bench/framework/experiment"
	"bench/framework/safefile"
)

// ImportKernel writes the kernel of the T1 file at path as a config to a new file.
// The error is an experiment.RunError where all was well but the disk.
func ImportKernel(path, config string, note Note) error {
	if _, err := os.Lstat(config); err == nil {
		return fmt.Errorf("%s exists; want another name", config)
	}
	var text bytes.Buffer
	if err := WriteConfig(&text, path, filepath.Dir(config), func(format string, args ...any) { note(path+": "+format, args...) }); err != nil {
		return err
	}
	if err := safefile.Write(config, &text); err != nil {
		return &experiment.RunError{Err: err}
	}
	return nil
}
