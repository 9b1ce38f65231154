package hostcompiler

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/bench/internal/linux"
)

// distrusted is the folder of a candidate; nil where there is none.
var distrusted atomic.Pointer[string]

// Distrust makes sources below a folder compile in a confinement: the compiler reads its own files and
// those that its command line names, and writes only where it is told to. An empty name ends it.
func Distrust(folder string) { distrusted.Store(&folder) }

// Distrusted reports whether a source is below the folder of Distrust.
func Distrusted(source string) bool {
	folder := distrusted.Load()
	return folder != nil && *folder != "" && strings.HasPrefix(source, filepath.Clean(*folder)+string(filepath.Separator))
}

// system are the folders of a system's compilers, linkers, headers and libraries.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// own are the folders, below its prefix, of a compiler that is installed elsewhere. usr is for a compiler
// whose packages were unpacked there, with a script in bin that starts it; libraries holds what its
// programs load.
var own = []string{"bin", "include", "lib", "lib32", "lib64", "libexec", "libraries", "share", "sysroot", "usr"}

// common are the files that programs read when they are loaded, and those that compilers take numbers
// from.
var common = []string{"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/dev/urandom"}

// pathVariables name folders that compilers search (gcc(1), Environment Variables; ld.so(8)).
var pathVariables = []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH"}

// programVariables name folders with parts of compilers.
var programVariables = []string{"GCC_EXEC_PREFIX", "COMPILER_PATH"}

// confine returns the confinement for the command that compiles a distrusted source.
func confine(cmd *exec.Cmd) *linux.Confinement {
	c := &linux.Confinement{Run: slices.Clone(system), Read: slices.Clone(common), Write: []string{"/dev/null"}}
	real, err := filepath.EvalSymlinks(cmd.Path)
	if err != nil {
		real = cmd.Path
	}
	for _, path := range []string{cmd.Path, real} {
		c.Run = append(c.Run, path)
		prefix := filepath.Dir(filepath.Dir(path))
		for _, folder := range own {
			c.Run = append(c.Run, filepath.Join(prefix, folder))
		}
	}
	environment := cmd.Environ()
	for _, list := range []struct {
		names []string
		to    *[]string
	}{{pathVariables, &c.Read}, {programVariables, &c.Run}} {
		for _, name := range list.names {
			for _, folder := range filepath.SplitList(valueOf(environment, name)) {
				if filepath.IsAbs(folder) {
					*list.to = append(*list.to, folder)
				}
			}
		}
	}
	c.Read = append(c.Read, *distrusted.Load())
	for _, argument := range cmd.Args[1:] {
		c.Read = append(c.Read, named(argument, cmd.Dir)...)
	}
	work := cmd.Dir
	if work == "" {
		work = valueOf(environment, "TMPDIR")
	}
	if work != "" {
		c.Write = append(c.Write, work)
	}
	// Compilers' caches lie elsewhere.
	cmd.Env = append(environment, "TMPDIR="+work, "CCACHE_DISABLE=1")
	return c
}

// valueOf returns the value of a variable, the last one that is given; it is empty if there is none.
func valueOf(environment []string, name string) (value string) {
	for _, v := range environment {
		if v, is := strings.CutPrefix(v, name+"="); is {
			value = v
		}
	}
	return value
}

// named returns the files and folders that a compiler's argument names, alone or after an option's
// letters.
func named(argument, folder string) (list []string) {
	candidates := []string{argument}
	for _, option := range []string{"-I", "-L", "-B", "-iquote", "-isystem", "-idirafter", "-include", "--sysroot="} {
		if path, is := strings.CutPrefix(argument, option); is && path != "" {
			candidates = append(candidates, path)
		}
	}
	for _, path := range candidates {
		if strings.HasPrefix(path, "-") {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if _, err := os.Stat(path); err == nil {
			list = append(list, path)
		}
	}
	return list
}
