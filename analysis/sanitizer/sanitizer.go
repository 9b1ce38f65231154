package sanitizer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/trust"
)

// Toolkit is where the CUDA toolkit has compute-sanitizer.
const Toolkit = "/usr/local/cuda/bin/compute-sanitizer"

// Find is the path of compute-sanitizer: of PATH, or the toolkit's.
func Find(toolkit string) (string, error) {
	p, err := trust.Self().Program("compute-sanitizer", toolkit)
	if err == nil || errors.Is(err, trust.ErrUntrusted) {
		return p, err
	}
	return "", fmt.Errorf("--sanitize needs NVIDIA's compute-sanitizer: it is not in PATH, and there is no %s; "+
		"install it with the CUDA toolkit, or as package cuda-sanitizer-… of its release", toolkit)
}

// Session has workers run under one tool.
type Session struct {
	// Prefix are the words before a worker's command.
	Prefix []string
	tool   string
	folder string // of the logs, one for each process
}

// Start makes a session of the program at path. The caller closes it.
func Start(program, tool string) (*Session, error) {
	folder, err := safefile.TempFolder("bench-sanitize-")
	if err != nil {
		return nil, err
	}
	s := &Session{tool: tool, folder: folder}
	s.Prefix = []string{program, "--tool", tool, "--log-file", filepath.Join(folder, "%p.log"), "--show-backtrace", "no"}
	if tool == "memcheck" { // errors of the driver's functions are this program's matter
		s.Prefix = append(s.Prefix, "--report-api-errors", "no")
	}
	return s, nil
}

// Reports are what the tool has reported of all workers. It is asked once they have ended.
func (s *Session) Reports() (list []Report, err error) {
	logs, err := filepath.Glob(filepath.Join(s.folder, "*.log"))
	if err != nil {
		return nil, err
	}
	if len(logs) == 0 {
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
