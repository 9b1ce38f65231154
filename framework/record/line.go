package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"time"

	"example.org/bench/internal/bounded"
)

// A line of the journal is {"crc32c":"SUM",BODY} where BODY is "KIND":CONTENT
// and SUM the CRC-32C of BODY in eight hexadecimal digits. docs/journal.md is the
// format's description.

// kind says what a line holds.
type kind string

const (
	headerLine  kind = "header"
	sessionLine kind = "session"
	startedLine kind = "started"
	stoppedLine kind = "stopped"
	resultLine  kind = "result"
	priorLine   kind = "prior"
)

const (
	sumStart  = `{"crc32c":"`
	bodyStart = len(sumStart) + 8 + len(`",`)
)

// CRC-32C finds every burst of up to 32 bits and any three wrong bits of a line
// of up to 256 MB (Koopman, DSN 2002); CRC-32's limit is 11 kB.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeLine returns a line with its end.
func encodeLine(k kind, content any) ([]byte, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return encodeBody(append([]byte(`"`+k+`":`), text...)), nil
}

// encodeBody puts the sum before what a line holds.
func encodeBody(body []byte) []byte {
	line := fmt.Appendf(make([]byte, 0, bodyStart+len(body)+2), `%s%08x",`, sumStart, crc32.Checksum(body, castagnoli))
	return append(append(line, body...), "}\n"...)
}

var (
	errDamaged  = errors.New("it is damaged, by its checksum")
	errEarlier  = errors.New("it is of a development version's format, which is read no more: start without --resume, the folder is kept by another name")
	errLater    = errors.New("a later bench wrote it: use that one")
	errNotKnown = errors.New("what it holds is not known to this bench")
)

// decodeLine checks a line, without its end, and divides it.
func decodeLine(line []byte) (kind, json.RawMessage, error) {
	if len(line) <= bodyStart || !bytes.HasPrefix(line, []byte(sumStart)) || line[len(line)-1] != '}' {
		return "", nil, errDamaged
	}
	body := line[bodyStart : len(line)-1]
	if string(line[len(sumStart):bodyStart]) != fmt.Sprintf(`%08x",`, crc32.Checksum(body, castagnoli)) {
		return "", nil, errDamaged
	}
	name, content, ok := bytes.Cut(body[1:], []byte(`":`))
	if !ok || body[0] != '"' {
		return "", nil, errNotKnown
	}
	return kind(name), content, nil
}

// started says that a point is about to run, stopped that it was ended on
// purpose.
type started struct {
	Key  string    `json:"key"`
	Time time.Time `json:"time"`
}

// journalContent is what a journal holds.
type journalContent struct {
	headers  []Header
	results  []Result
	sessions []Info
	// starts counts by key the starts of a point that left no result.
	starts  map[string]int
	damaged []damagedLine
	priors  []json.RawMessage
	whole   int64 // length of the lines before an unfinished last one

	running []string // keys of the points under way: several GPUs have one each
	lines   int

	// visit, if set, takes each result instead of results: its text and where in the
	// journal that begins. It returns the point's key.
	visit   func(content []byte, offset int64) (key string, err error)
	session func(Info) // likewise
	// later are the keys of results behind the first damaged line that visit took.
	later map[string]bool
}

// mostDamaged is how many damaged lines are kept and told of. A file of more is no journal,
// or of no use.
const mostDamaged = 100_000

// damagedLine is one that cannot be read.
type damagedLine struct {
	number int
	err    error
	keys   []string // of the points whose result it may have been
}

// scanJournal reads what it can of a journal of that size, which need not fit into memory. It passes results
// to visit, whose error makes a line a damaged one, and what each process said of itself to session, in the
// order of the lines. Without these functions it keeps both. An error says that nothing could be read.
func scanJournal(r io.Reader, size int64,
	visit func(content []byte, offset int64) (string, error), session func(Info)) (*journalContent, error) {
	c := &journalContent{starts: map[string]int{}, visit: visit, session: session, later: map[string]bool{}}
	in := bounded.NewLines(r, "", bounded.MostAnswer)
	for {
		line, err := in.Read()
		if errors.Is(err, io.EOF) { // the last line is unfinished, or there is none
			return c, c.none()
		}
		if err != nil {
			return nil, err
		}
		c.lines++
		if err := c.add(line[:len(line)-1], c.whole+int64(len(line)) == size); errors.Is(err, errUnfinished) {
			return c, c.none()
		} else if err != nil {
			return nil, err
		}
		c.whole += int64(len(line))
		if len(c.damaged) > mostDamaged {
			return nil, fmt.Errorf("%w: more than %d lines cannot be read", bounded.ErrBeyond, mostDamaged)
		}
	}
}

// parseJournal reads what it can of a journal in memory.
func parseJournal(b []byte) (*journalContent, error) {
	c, err := scanJournal(bytes.NewReader(b), int64(len(b)), nil, nil)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// none says why nothing of a journal is of use; nil if something is.
func (c *journalContent) none() error {
	switch {
	case len(c.headers) > 0:
		return CheckPrefix(c.headers[0].Prefix)
	case c.whole == 0:
		return fmt.Errorf("%w: the run ended before its first line was written; start without --resume", ErrNoJournal)
	}
	return errHeaders
}

var errHeaders = errors.New("its headers are damaged: start without --resume, the folder is kept by another name")

var errUnfinished = errors.New("unfinished")

// add takes a line in. In a damaged one it looks for lines that lost the end of the line before. A damaged
// last line counts as unfinished.
func (c *journalContent) add(line []byte, last bool) error {
	err := c.addWhole(line, len(line))
	if !errors.Is(err, errDamaged) {
		return c.fault(err)
	}
	if c.lines == 1 && developmentFormat(line) {
		return errEarlier
	}
	for rest := line; len(rest) > 0; {
		next := bytes.Index(rest[1:], []byte(sumStart))
		if next < 0 {
			break
		}
		rest = rest[1+next:]
		if _, _, bad := decodeLine(rest); bad == nil {
			c.fault(err)
			return c.fault(c.addWhole(rest, len(line)))
		}
	}
	if last {
		return errUnfinished
	}
	return c.fault(err)
}

// fault notes what is wrong with a line; what a later bench wrote ends the
// reading.
func (c *journalContent) fault(err error) error {
	if err == nil || errors.Is(err, errLater) {
		return err
	}
	c.damaged = append(c.damaged, damagedLine{c.lines, err, slices.Clone(c.running)})
	if len(c.running) == 1 {
		c.starts[c.running[0]]--
		c.running = nil
	}
	return nil
}

// ended takes note that a point is under way no more.
func (c *journalContent) ended(key string) {
	c.running = slices.DeleteFunc(c.running, func(k string) bool { return k == key })
}

// developmentFormat reports whether a first line is that of a journal before
// lines had checksums.
func developmentFormat(line []byte) bool {
	var h Header
	return json.Unmarshal(line, &h) == nil && 0 < h.Format && h.Format < firstFormat
}

// addWhole takes over what ends a line of that length.
func (c *journalContent) addWhole(line []byte, length int) error {
	k, content, err := decodeLine(line)
	if err != nil {
		return err
	}
	switch k {
	case headerLine:
		var h Header
		if err := bounded.Unmarshal(content, &h); err != nil {
			return err
		}
		if h.Format > journalFormat {
			return fmt.Errorf("%w (format %d, this one reads %d to %d)", errLater, h.Format, firstFormat, journalFormat)
		}
		c.headers = append(c.headers, h)
		c.running = nil // those of a process that was killed
	case sessionLine:
		var i Info
		if err := bounded.Unmarshal(content, &i); err != nil {
			return err
		}
		if c.session != nil {
			c.session(i)
			return nil
		}
		c.sessions = append(c.sessions, i)
	case startedLine, stoppedLine:
		var s started
		if err := bounded.Unmarshal(content, &s); err != nil {
			return err
		}
		if c.ended(s.Key); k == startedLine {
			c.running = append(c.running, s.Key)
			c.starts[s.Key]++
		} else {
			c.starts[s.Key]--
		}
	case resultLine:
		if c.visit != nil {
			key, err := c.visit(content, c.whole+int64(length-len(content)-1))
			if err != nil {
				return err
			}
			if len(c.damaged) > 0 {
				c.later[key] = true
			}
			c.ended(key)
			delete(c.starts, key)
			return nil
		}
		var r Result
		if err := bounded.Unmarshal(content, &r); err != nil {
			return err
		}
		c.results = append(c.results, r)
		c.ended(r.Point.Key())
		delete(c.starts, r.Point.Key())
	case priorLine:
		c.priors = append(c.priors, slices.Clone(content))
	default:
		return errNotKnown
	}
	return nil
}

// notes say what is damaged and what that costs, a line each.
func (c *journalContent) notes(path string) (list []string) {
	have := map[string]bool{}
	for _, r := range c.results {
		have[r.Point.Key()] = true
	}
	for _, d := range c.damaged {
		cost := "no result is known to be lost"
		lost := slices.DeleteFunc(slices.Clone(d.keys), func(key string) bool { return have[key] || c.later[key] })
		switch {
		case len(lost) > 0:
			cost = "the result of " + strings.Join(lost, " or ") + " is lost; --resume measures it again"
		case len(d.keys) > 0:
			cost = "its point was measured again"
		}
		list = append(list, fmt.Sprintf("%s: line %d cannot be read, %v: %s", path, d.number, d.err, cost))
	}
	return list
}
