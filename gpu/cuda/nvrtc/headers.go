package nvrtc

import (
	"os"
	"path/filepath"
	"slices"

	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// toolkitHeader matches the include of a header that a toolkit may have.
var toolkitHeader = lazy.Regexp(`(?m)^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>`)

// headerFolders returns the folders that may hold a toolkit's headers: named by the user, beside this
// NVRTC (a toolkit's lib64 and include, or the folders of two Python packages), and where NVIDIA's packages put
// them. CUDA 13 has CUB in a folder cccl.
func (c *Compiler) headerFolders() (list []string) {
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := os.Getenv(name); root != "" {
			list = append(list, filepath.Join(root, "include"))
		}
	}
	if path, err := filepath.EvalSymlinks(c.lib.name); err == nil && filepath.IsAbs(path) {
		folder := filepath.Dir(path)
		list = append(list, filepath.Join(folder, "../include"), filepath.Join(folder, "../../cuda_runtime/include"), filepath.Join(folder, "../../cuda_cccl/include"))
	}
	list = append(list, "/usr/local/cuda/include")
	for _, pattern := range []string{"/usr/local/cuda/targets/*/include", "/usr/local/cuda-*/include"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // the patterns are well formed
		}
		slices.Reverse(found)
		list = append(list, found...)
	}
	for _, folder := range slices.Clone(list) {
		list = append(list, filepath.Join(folder, "cccl"))
	}
	return list
}

// includePaths returns the options that name the folders of the toolkit headers that src includes.
func (c *Compiler) includePaths(src gpu.Source) (list []string) {
	texts := []string{src.Text}
	for _, name := range sortedKeys(src.Headers) {
		texts = append(texts, src.Headers[name])
	}
	var folders []string
	for _, text := range texts {
		for _, m := range toolkitHeader().FindAllStringSubmatch(text, -1) {
			if folders == nil {
				folders = c.headerFolders()
			}
			i := slices.IndexFunc(folders, func(folder string) bool {
				_, err := os.Stat(filepath.Join(folder, m[1]))
				return err == nil
			})
			if i < 0 {
				continue // NVRTC may have it, or reports it
			}
			for _, folder := range []string{folders[i], filepath.Join(folders[i], "cccl")} { // some of a toolkit's own headers include CUB's
				option := "--include-path=" + folder
				if info, err := os.Stat(folder); err == nil && info.IsDir() && !slices.Contains(list, option) {
					list = append(list, option)
				}
			}
		}
	}
	return list
}
