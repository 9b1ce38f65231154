package scan

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/gpu/cuda/jetson"
	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/trust"
)

//go:embed cub.cu
var cubText string

// toolkit is a CUDA toolkit that can compile CUB.
type toolkit struct {
	nvcc     string
	host     string // compiler
	version  string // as nvcc reports it
	includes []string
}

// nvccInstall says how to install what compiles CUB.
func nvccInstall() string {
	return "install the CUDA toolkit, which has CUB from CUDA 11 on (" + jetson.Hint("cuda-toolkit") + "), or add nvcc's folder to PATH"
}

var findToolkit = sync.OnceValues(func() (*toolkit, error) {
	const toolkits = "/usr/local/cuda/bin/nvcc"
	nvcc, err := trust.Self().Program("nvcc", toolkits)
	if errors.Is(err, trust.ErrUntrusted) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("nvcc is neither on PATH nor %s; %s", toolkits, nvccInstall())
	}
	said, err := hostcompiler.Output(exec.Command(nvcc, "--version"), "")
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w; %s", nvcc, err, nvccInstall())
	}
	host, err := trust.Self().Program("g++")
	if err != nil {
		return nil, fmt.Errorf("nvcc needs a host compiler: %w; install g++", err)
	}
	return &toolkit{nvcc: nvcc, host: host, version: string(said), includes: includeFolders(nvcc)}, nil
})

// includeFolders returns where a toolkit keeps its headers: beside nvcc's bin, or under targets. CUDA 13 and
// later have CCCL's own folder.
func includeFolders(nvcc string) []string {
	if real, err := filepath.EvalSymlinks(nvcc); err == nil {
		nvcc = real
	}
	root := filepath.Dir(filepath.Dir(nvcc))
	folders := []string{filepath.Join(root, "include")}
	targets, _ := filepath.Glob(filepath.Join(root, "targets", "*", "include"))
	folders = append(folders, targets...)
	for _, f := range folders {
		folders = append(folders, filepath.Join(f, "cccl"))
	}
	return folders
}

// header reports an error if the toolkit lacks a header.
func (t *toolkit) header(name string) error {
	for _, f := range t.includes {
		if _, err := os.Stat(filepath.Join(f, name)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s has no header %s", t.nvcc, name)
}

// build compiles CUB's calls for one kind, type and mode, or takes the library from the cache. It returns the
// library's path.
func (t *toolkit) build(kind cubKind, s shape, arch string) (string, error) {
	types := map[string]string{"f32": "float", "f64": "double", "i32": "int"}
	exclusive := 0
	if s.Exclusive {
		exclusive = 1
	}
	options := []string{
		"-O3", "-std=c++17", "-ccbin=" + t.host, "-arch=" + arch, "-shared", "-Xcompiler", "-fPIC",
		fmt.Sprintf("-DKIND=%d", kind.code), "-DTYPE=" + types[s.Type], fmt.Sprintf("-DEXCLUSIVE=%d", exclusive),
	}
	folder, err := diskcache.Folder("cub")
	if err != nil {
		return "", fmt.Errorf("CUB's code: %w", err)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", t.nvcc, t.version, options, cubText))
	library := filepath.Join(folder, fmt.Sprintf("%x.so", key))
	if diskcache.UseLibrary(library) {
		return library, nil
	}
	work, err := hostcompiler.Folder()
	if err != nil {
		return "", fmt.Errorf("folder to compile CUB in: %w", err)
	}
	defer os.RemoveAll(work)
	source, made := filepath.Join(work, "cub.cu"), filepath.Join(work, "cub.so")
	if err := os.WriteFile(source, []byte(cubText), 0o644); err != nil {
		return "", fmt.Errorf("cache for CUB's code: %w", err)
	}
	if said, err := hostcompiler.Combined(exec.Command(t.nvcc, append(options, "-o", made, source)...), source); err != nil {
		return "", fmt.Errorf("%s cub.cu: %w\n%s", t.nvcc, err, strings.TrimSpace(string(said)))
	}
	if err := diskcache.Seal(made); err != nil {
		return "", fmt.Errorf("cache for CUB's code: %w", err)
	}
	if err := diskcache.Put(made, library); err != nil {
		return "", fmt.Errorf("cache for CUB's code: %w", err)
	}
	return library, nil
}
