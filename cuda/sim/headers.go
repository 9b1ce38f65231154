package sim

import (
	"os"
	"path/filepath"
)

// partsOfOthers are headers whose content is in one of the simulator's own, by name.
var partsOfOthers = map[string]string{
	"cooperative_groups/reduce.h": "cooperative_groups.h",
	"cuda_fp16.hpp":               "cuda_fp16.h", "cuda_bf16.hpp": "cuda_bf16.h",
}

// writeParts makes those headers, but for the ones that the source brings, in a folder
// where includes are looked for.
func writeParts(folder string, own map[string]string) error {
	for name, of := range partsOfOthers {
		if _, had := own[name]; had {
			continue
		}
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte("#pragma once\n#include <"+of+">\n"), 0o600); err != nil {
			return err
		}
	}
	return nil
}
