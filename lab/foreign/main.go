// Foreign tries other people's kernels in the simulator, or on another device: every config below a folder, with `bench
// verify`. It prints a Markdown table of those that do not compile, do not run or are not right,
// with the reason, and counts them:
//
//	foreign BENCH FOLDER [DEVICE]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 || len(os.Args) > 4 {
		log.Fatal("usage: foreign BENCH FOLDER [DEVICE]")
	}
	device := "sim"
	if len(os.Args) == 4 {
		device = os.Args[3]
	}
	bench, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	list, err := tryAll(os.Args[2], func(config string) (out, message []byte, err error) {
		var said bytes.Buffer
		c := exec.Command(bench, "verify", "--json", "--device", device, config)
		c.Stderr = &said
		out, err = c.Output()
		if _, failed := errors.AsType[*exec.ExitError](err); failed {
			err = nil
		}
		return out, said.Bytes(), err
	})
	if err == nil {
		err = write(os.Stdout, list)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// outcome is how far a kernel comes.
type outcome string

const (
	refused    outcome = "config refused"
	uncompiled outcome = "does not compile"
	fails      outcome = "does not run"
	wrong      outcome = "is wrong"
	runs       outcome = "runs, and has nothing to compare with"
	right      outcome = "is right"
)

var outcomes = []outcome{refused, uncompiled, fails, wrong, runs, right}

// trial is what came of one version of a config.
type trial struct {
	config, version string
	outcome         outcome
	reason          string
}

// summary is an element of what bench verify --json prints, as far as it is used.
type summary struct {
	Versions []struct {
		Version   string
		OK        int
		Unchecked int
		Failures  []struct{ Status, Reason string }
	}
}

// tryAll has verify tell of each config below the folder.
func tryAll(folder string, verify func(config string) (out, message []byte, err error)) (list []trial, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		out, message, err := verify(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		of := judge(name, out, message)
		for _, t := range of { // as they come: a device may be taken away
			fmt.Fprintln(os.Stderr, t.config, t.version, t.outcome)
		}
		list = append(list, of...)
		return nil
	})
	return list, err
}

// judge reads what bench verify printed about a config.
func judge(config string, out, message []byte) (list []trial) {
	var all []summary
	if err := json.Unmarshal(out, &all); err != nil || len(all) == 0 {
		return []trial{{config: config, outcome: refused, reason: oneLine(string(message))}}
	}
	for _, s := range all {
		for _, v := range s.Versions {
			t := trial{config: config, version: v.Version, outcome: right}
			if v.Unchecked > 0 {
				t.outcome = runs
			}
			if len(v.Failures) > 0 {
				f := v.Failures[0]
				_, first, found := strings.Cut(f.Reason, " error: ") // of the compiler
				t.outcome, t.reason = fails, oneLine(f.Reason)
				switch {
				case f.Status == "wrong":
					t.outcome = wrong
				case strings.HasPrefix(f.Reason, "compile ") && found:
					t.outcome, t.reason = uncompiled, oneLine(first)
				}
			}
			list = append(list, t)
		}
	}
	return list
}

const mostReason = 160

func oneLine(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	if r := []rune(text); len(r) > mostReason {
		return string(r[:mostReason-1]) + "…"
	}
	return text
}

func write(w io.Writer, list []trial) error {
	var b strings.Builder
	b.WriteString("| config | version | | reason |\n|---|---|---|---|\n")
	count := map[outcome]int{}
	for _, t := range list {
		count[t.outcome]++
		if t.outcome != runs && t.outcome != right {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", t.config, t.version, t.outcome, t.reason)
		}
	}
	fmt.Fprintf(&b, "\nof %d:", len(list))
	for _, o := range outcomes {
		if count[o] > 0 {
			fmt.Fprintf(&b, " %d %s;", count[o], o)
		}
	}
	_, err := fmt.Fprintln(w, strings.TrimSuffix(b.String(), ";"))
	return err
}
