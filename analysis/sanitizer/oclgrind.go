package sanitizer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/lazy"
	"example.org/bench/internal/trust"
)

// Oclgrind is the tool that runs OpenCL's kernels on the CPU and looks at every access ("Oclgrind: An Extensible
// OpenCL Device Simulator", Price and McIntosh-Smith). It is a driver of its own, for the loader.
// Reads of memory that nothing wrote are oclgrindInit's, because release 21.10 cannot run some kernels with that check.
const (
	Oclgrind     = "oclgrind"
	oclgrindInit = "oclgrind-init"
)

func isOclgrind(tool string) bool { return strings.HasPrefix(tool, Oclgrind) }

// oclgrindPlace is where Debian has it.
const oclgrindPlace = "/usr/bin/oclgrind"

// findOclgrind returns the path of its driver, by that of the program.
func findOclgrind() (string, error) {
	program, err := trust.Self().Program(Oclgrind, oclgrindPlace)
	if err != nil {
		return "", fmt.Errorf("--sanitize needs Oclgrind for kernels in OpenCL C: %w; install the package oclgrind", err)
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return "", err
	}
	driver := filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", Oclgrind, "liboclgrind-rt-icd.so")
	if _, err := os.Stat(driver); err != nil {
		return "", fmt.Errorf("--sanitize: %s has no driver for the loader: %w", program, err)
	}
	return driver, trust.Self().Check(driver)
}

// oclgrindPrefix returns the words before a worker's command that show either loader this driver alone, and have
// it log into the folder.
func oclgrindPrefix(tool, driver, folder string) []string {
	const script = `export "$1=1" OCL_ICD_VENDORS="$2" OCL_ICD_FILENAMES="$2" OCLGRIND_MAX_ERRORS=20000 OCLGRIND_LOG="$0/$$.log"; shift 2; exec "$@"`
	return []string{"/bin/sh", "-c", script, folder, map[string]string{Oclgrind: "OCLGRIND_DATA_RACES", oclgrindInit: "OCLGRIND_UNINITIALIZED"}[tool], driver}
}

var (
	grindAccess  = lazy.Regexp(`^Invalid (read|write) of size (\d+) at (\w+) memory address`)
	grindRace    = lazy.Regexp(`^(?:Read|Write)-write data race at (\w+) memory`)
	grindAddress = lazy.Regexp(`(?: address)? 0x[0-9a-f]+`)
	grindEntity  = lazy.Regexp(`ntity: +Global\(.*\) Local(\(\d+,\d+,\d+\)) Group(\(\d+,\d+,\d+\))`)
	grindLine    = lazy.Regexp(`^At line (\d+) (?:\(column \d+\) )?of (.+):$`)
)

// parseOclgrind reads its log: a report is a line and those below it, which begin with a tab.
func parseOclgrind(tool, log string) []Report {
	var all causes
	for part := range strings.SplitSeq(log, "\n\n") {
		lines := strings.Split(strings.Trim(part, "\n"), "\n")
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "\t") {
			continue
		}
		r := Report{Tool: tool, Count: 1, What: lowered(grindAddress().ReplaceAllString(lines[0], ""))}
		var places, accesses []string // two of a race
		begun := false                // an entity, whose instruction follows
		race := grindRace().FindStringSubmatch(lines[0])
		if m := grindAccess().FindStringSubmatch(lines[0]); m != nil {
			r.What = fmt.Sprintf("%s of %s bytes of %s memory, outside of what is allocated", m[1], m[2], m[3])
		}
		for _, line := range lines[1:] {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			switch entity, place := grindEntity().FindStringSubmatch(line), grindLine().FindStringSubmatch(strings.TrimSpace(line)); {
			case name == "Kernel" && r.Kernel == "":
				r.Kernel = strings.TrimSpace(value)
			case name == "Work-group" && r.Block == "":
				r.Block = strings.TrimSpace(value)
			case entity != nil:
				if begun = true; r.Thread == "" {
					r.Thread, r.Block = entity[1], entity[2]
				}
			case place != nil:
				places = append(places, filepath.Base(place[2])+":"+place[1])
			case begun:
				accesses, begun = append(accesses, instruction(line)), false
			case strings.HasPrefix(name, "Only "):
				r.What = lowered(name)
			}
		}
		if len(places) > 0 {
			r.Place = places[0]
		}
		if race != nil && len(places) > 1 && len(accesses) > 1 {
			r.What = fmt.Sprintf("race of %s with %s at %s, in %s memory", accesses[0], accesses[1], places[1], race[1])
		}
		all.add(r)
	}
	return all.list
}

// instruction says what an instruction of LLVM does to memory.
func instruction(line string) string {
	switch {
	case strings.Contains(line, " store "):
		return "a write"
	case strings.Contains(line, "= load "):
		return "a read"
	}
	return "an access"
}
