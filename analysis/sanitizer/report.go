// Package sanitizer runs workers under NVIDIA's compute-sanitizer, or OpenCL's under Oclgrind, and reads what
// these report ("Compute Sanitizer", NVIDIA's documentation).
package sanitizer

import (
	"fmt"
	"path"
	"strings"

	"example.org/bench/internal/lazy"
)

// Report is one cause, and how often a tool saw it.
type Report struct {
	Tool   string `json:"tool"`             // the tool
	Kernel string `json:"kernel"`           // empty where unknown
	Place  string `json:"place,omitempty"`  // of the source: "scan.cu:12"
	Block  string `json:"block,omitempty"`  // of the first: "(2,0,0)"
	Thread string `json:"thread,omitempty"` // of the first
	What   string `json:"what"`             // what happened there
	Count  int    `json:"count"`            // how often
}

// String is the report in the simulator's form: "kernel put: block (2,0,0), thread
// (5,0,0): put.cu:3: …".
func (r Report) String() string {
	var parts []string
	if r.Kernel != "" {
		parts = append(parts, "kernel "+r.Kernel)
	}
	block, thread := "block ", "thread "
	if isOclgrind(r.Tool) {
		block, thread = "work-group ", "work-item "
	}
	switch {
	case r.Thread != "":
		parts = append(parts, block+r.Block+", "+thread+r.Thread)
	case r.Block != "":
		parts = append(parts, block+r.Block)
	}
	if r.Place != "" {
		parts = append(parts, r.Place)
	}
	text := strings.Join(append(parts, r.What), ": ")
	if r.Count > 1 {
		text += fmt.Sprintf(" (and %d more)", r.Count-1)
	}
	return text
}

var (
	// ours is a line of the tool, with what follows its mark.
	ours = lazy.Regexp(`(?m)^=========(?: (.*))?$`)

	access    = lazy.Regexp(`^Invalid (__\w+__) (\w+) of size (\d+) bytes`)
	unwritten = lazy.Regexp(`^Uninitialized (__\w+__) memory (\w+) of size (\d+) bytes`)
	race      = lazy.Regexp(`^(Error|Warning): Race reported between (\w+) access at (.+)$`)
	against   = lazy.Regexp(`^and (\w+) access at (.+?)(?: \[(\d+) hazards?\])?$`)
	thread    = lazy.Regexp(`^by thread (\(\d+,\d+,\d+\)) in block (\(\d+,\d+,\d+\))`)
	bounds    = lazy.Regexp(`^(?:Address|Access (?:at|to)) 0x[0-9a-f]+ is (.+)$`)
	nearest   = lazy.Regexp(`^and is (.+?) at 0x[0-9a-f]+ of size ([\d,]+) bytes`)
	place     = lazy.Regexp(`^(.+?)\+0x[0-9a-f]+(?: in (.+):(\d+))?$`)
	placeOld  = lazy.Regexp(`^0x[0-9a-f]+ in (?:(.+):(\d+):)?(.+)$`)
	broken    = lazy.Regexp(`^(?:Error: (?:process|No attachable|Target|Could not|Failed).*|Internal Sanitizer Error.*|Target application terminated.*)$`)
)

// causes are reports in the order of their first appearance, each cause once.
type causes struct {
	list []Report
	had  map[[3]string]int
}

func (c *causes) add(r Report) {
	if c.had == nil {
		c.had = map[[3]string]int{}
	}
	key := [3]string{r.Kernel, r.Place, cause(r.What)}
	if i, ok := c.had[key]; ok {
		c.list[i].Count += r.Count
		return
	}
	c.had[key] = len(c.list)
	c.list = append(c.list, r)
}

// Parse reads a tool's log: the causes in the order of their first appearance, and what
// the tool says of its own failure, empty where there is none.
func Parse(tool, log string) (list []Report, failure string) {
	if isOclgrind(tool) {
		return parseOclgrind(tool, log), ""
	}
	var all causes
	var now *Report
	var other string // the second access of a race
	end := func() {
		if now == nil {
			return
		}
		now.What += other
		all.add(*now)
		now = nil
	}
	for _, m := range ours().FindAllStringSubmatch(log, -1) {
		line := m[1]
		text := strings.TrimSpace(line)
		if !strings.HasPrefix(line, "    ") { // the first line of a report, or none
			end()
			other = ""
			if now = begin(tool, text); now == nil && broken().MatchString(text) && failure == "" {
				failure = text
			}
			continue
		}
		if now == nil {
			continue
		}
		switch {
		case strings.HasPrefix(text, "at ") && now.Kernel == "":
			now.Kernel, now.Place = placed(strings.TrimPrefix(text, "at "))
		case thread().MatchString(text):
			found := thread().FindStringSubmatch(text)
			now.Thread, now.Block = found[1], found[2]
		case bounds().MatchString(text):
			now.What += ", " + bounds().FindStringSubmatch(text)[1]
		case nearest().MatchString(text):
			found := nearest().FindStringSubmatch(text)
			now.What += fmt.Sprintf(", %s of %s bytes", found[1], found[2])
		case against().MatchString(text):
			found := against().FindStringSubmatch(text)
			_, where := placed(found[2])
			if where == "" {
				where = "the same kernel"
			}
			if other == "" {
				other = fmt.Sprintf(" with a %s at %s", strings.ToLower(found[1]), where)
			} else {
				other += fmt.Sprintf(", a %s at %s", strings.ToLower(found[1]), where)
			}
			if found[3] != "" {
				other += fmt.Sprintf(" (%s hazards)", found[3])
			}
		}
	}
	end()
	return all.list, failure
}

// begin returns the report that this line begins; nil where it begins none.
func begin(tool, text string) *Report {
	r := &Report{Tool: tool, Count: 1}
	switch {
	case access().MatchString(text):
		m := access().FindStringSubmatch(text)
		r.What = fmt.Sprintf("%s of %s bytes of %s memory", m[2], m[3], m[1])
	case unwritten().MatchString(text):
		m := unwritten().FindStringSubmatch(text)
		r.What = fmt.Sprintf("%s of %s bytes of %s memory that nothing wrote", m[2], m[3], m[1])
	case race().MatchString(text):
		m := race().FindStringSubmatch(text)
		r.What = "race of a " + strings.ToLower(m[2])
		if m[1] == "Warning" {
			r.What = "possible " + r.What
		}
		r.Kernel, r.Place = placed(m[3])
	case strings.HasPrefix(text, "Barrier error detected"), strings.HasPrefix(text, "Malloc/Free Error"), strings.HasPrefix(text, "Stack overflow"):
		r.What = strings.TrimSuffix(lowered(text), ".")
	default:
		return nil
	}
	return r
}

func lowered(text string) string { return strings.ToLower(text[:1]) + text[1:] }

var numbers = lazy.Regexp(`\d[\d,]*`)

// cause is what happened, without the figures by which one access differs from the next.
func cause(what string) string { return numbers().ReplaceAllString(what, "#") }

// placed reads "put(int *)+0xd0 in put.cu:3", and of releases before 12 "0xd0 in
// put.cu:3:put(int *)".
func placed(text string) (kernel, at string) {
	file, line, function := "", "", ""
	if m := placeOld().FindStringSubmatch(text); m != nil {
		file, line, function = m[1], m[2], m[3]
	} else if m := place().FindStringSubmatch(text); m != nil {
		function, file, line = m[1], m[2], m[3]
	}
	if file != "" {
		at = path.Base(file) + ":" + line
	}
	return bare(function), at
}

// bare is a function's name without its type and parameters.
func bare(function string) string {
	function = strings.TrimPrefix(function, "void ")
	depth := 0
	for i, c := range function {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 {
				return function[:i]
			}
		}
	}
	return function
}
