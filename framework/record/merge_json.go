package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"sync"

	"example.org/bench/framework/plan"
)

// mergePoints are the points that texts have been decoded to: those of many devices are
// the same.
type mergePoints struct {
	mutex sync.Mutex
	list  map[string]*mergePoint
}

// mostMergePoints bounds their memory, of about 2 kB each.
const mostMergePoints = 1 << 14

// mergePoint is a point, and what is made of it.
type mergePoint struct {
	plan.Point
	key      string
	numbered sync.Once
	numbers  mergeEntry
	// before, between and after are its text without the numbers of the point and the
	// device.
	before, between, after []byte
}

// point decodes a point.
func (m *mergePoints) point(text []byte) (*mergePoint, error) {
	m.mutex.Lock()
	p, ok := m.list[string(text)]
	m.mutex.Unlock()
	if ok {
		return p, nil
	}
	p = &mergePoint{}
	if err := json.Unmarshal(text, &p.Point); err != nil {
		return nil, err
	}
	p.key = p.Key()
	p.Shared = "" // a merged run's points have the devices that ran them
	written, err := json.Marshal(p.Point)
	if err != nil {
		return nil, err
	}
	device, err := json.Marshal(p.Device)
	if err != nil {
		return nil, err
	}
	// Within a text, quotation marks are behind a backslash: it has none of these members.
	const id, member = `{"id":`, `,"device":`
	begin, at := len(id)+len(strconv.Itoa(p.ID)), bytes.Index(written, append([]byte(member), device...))
	if at < begin {
		return nil, errors.New("a point without its number and device")
	}
	at += len(member)
	p.before, p.between, p.after = written[:len(id)], written[begin:at], written[at+len(device):]
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.list) < mostMergePoints {
		put(&m.list, string(text), p)
	}
	return p, nil
}

// entry numbers what the point is of.
func (p *mergePoint) entry(t *mergeTables) mergeEntry {
	p.numbered.Do(func() { p.numbers = t.entry(p.Point) })
	return p.numbers
}

// resultStart is what a result's text begins with; its point follows.
const resultStart = `{"point":`

// result decodes a result, and its point once for all that have the same. rest is the text
// behind the point.
func (m *mergePoints) result(text []byte) (r Result, p *mergePoint, rest []byte, err error) {
	point, ok := bytes.CutPrefix(text, []byte(resultStart))
	if !ok || len(point) == 0 {
		return r, nil, nil, errors.New("a result does not begin with its point")
	}
	length := valueLength(point)
	if length == 0 || length >= len(point) || point[length] != ',' {
		return r, nil, nil, errors.New("a result's point does not end")
	}
	point, rest = point[:length], point[length:]
	if p, err = m.point(point); err != nil {
		return r, nil, nil, err
	}
	rest[0] = '{' // what is not the point is an object, too
	err = r.UnmarshalJSON(rest)
	rest[0] = ','
	r.Point = p.Point
	return r, p, rest, err
}

// renamed returns a result and its line, with another number and device of its point; what
// this program does not know of it stays.
func (m *mergePoints) renamed(text []byte, id int, device string) (r Result, line []byte, err error) {
	r, p, rest, err := m.result(text)
	if err != nil {
		return r, nil, err
	}
	name, err := json.Marshal(device)
	if err != nil {
		return r, nil, err
	}
	const head = `"` + resultLine + `":` + resultStart
	body := make([]byte, 0, len(head)+len(text)+len(name)+16)
	body = append(append(body, head...), p.before...)
	body = append(append(strconv.AppendInt(body, int64(id), 10), p.between...), name...)
	body = append(append(body, p.after...), rest...)
	r.Point.ID, r.Point.Device = id, device
	return r, encodeBody(body), nil
}

// valueLength returns the length of the JSON value that a valid text begins with; 0 where it
// does not end.
func valueLength(text []byte) int {
	switch text[0] {
	case '"':
		return stringLength(text)
	case '{', '[':
	default:
		return max(0, bytes.IndexAny(text, ",}]"))
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := stringLength(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// stringLength returns the length of the JSON string that a valid text begins with; 0 where it
// does not end.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
