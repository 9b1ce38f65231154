package sanitizer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.org/bench/framework/engine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/trust"
)

// toolkit is where the CUDA toolkit has compute-sanitizer.
const toolkit = "/usr/local/cuda/bin/compute-sanitizer"

// Checker is what looks at the accesses of a device's kernels.
type Checker struct {
	// Tools are its parts, in the order in which verify uses them: memcheck finds accesses outside allocations,
	// racecheck races in shared memory, initcheck reads of device memory that nothing wrote, synccheck wrong
	// barriers. Oclgrind finds all of these, reads of what nothing wrote as oclgrind-init.
	Tools []string
	path  string // of compute-sanitizer, or of Oclgrind's driver
}

// Find returns the checker of a device: compute-sanitizer, of PATH or the toolkit, or for OpenCL Oclgrind.
func Find(device string) (*Checker, error) {
	if engine.OpenCL(device) {
		driver, err := findOclgrind()
		return &Checker{[]string{Oclgrind, oclgrindInit}, driver}, err
	}
	p, err := trust.Self().Program("compute-sanitizer", toolkit)
	if err == nil || errors.Is(err, trust.ErrUntrusted) {
		return &Checker{[]string{"memcheck", "racecheck", "initcheck", "synccheck"}, p}, err
	}
	return nil, fmt.Errorf("--sanitize needs NVIDIA's compute-sanitizer: it is not in PATH, and there is no %s; "+
		"install it with the CUDA toolkit, or as package cuda-sanitizer-… of its release", toolkit)
}

// Session has workers run under one tool.
type Session struct {
	// Prefix are the words before a worker's command.
	Prefix []string
	tool   string
	folder string // of the logs, one for each process
}

// Start makes a session of a tool. The caller closes it.
func (c *Checker) Start(tool string) (*Session, error) {
	folder, err := safefile.TempFolder("bench-sanitize-")
	if err != nil {
		return nil, err
	}
	s := &Session{tool: tool, folder: folder}
	if isOclgrind(tool) {
		s.Prefix = oclgrindPrefix(tool, c.path, folder)
		return s, nil
	}
	s.Prefix = []string{c.path, "--tool", tool, "--log-file", filepath.Join(folder, "%p.log"), "--show-backtrace", "no"}
	if tool == "memcheck" { // errors of the driver's functions are this program's matter
		s.Prefix = append(s.Prefix, "--report-api-errors", "no")
	}
	return s, nil
}

// Reports returns what the tool has reported of all workers. Call it once they have ended.
func (s *Session) Reports() (list []Report, err error) {
	logs, err := filepath.Glob(filepath.Join(s.folder, "*.log"))
	if err != nil {
		return nil, err
	}
	if len(logs) == 0 && !isOclgrind(s.tool) { // which writes none where it finds nothing
		return nil, fmt.Errorf("%s wrote no log", s.tool)
	}
	slices.Sort(logs)
	var text []byte
	for _, name := range logs {
		log, err := bounded.ReadFile(name, bounded.MostDocument)
		if err != nil {
			return nil, err
		}
		text = append(append(text, log...), '\n')
	}
	list, failure := Parse(s.tool, string(text))
	if failure != "" && len(list) == 0 {
		return nil, fmt.Errorf("%s: %s", s.tool, failure)
	}
	return list, nil
}

// Close removes the logs.
func (s *Session) Close() error { return os.RemoveAll(s.folder) }
