package config

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// decoder turns the nodes of a file into the Config c. It skips what the schema refused, and adds
// to errs what the schema cannot express.
type decoder struct {
	path string
	errs *Errors
	c    *Config
}

func (d *decoder) add(pos Position, format string, args ...any) {
	d.errs.Add(d.path, pos, format, args...)
}

func (d *decoder) config(root *node) {
	c := d.c
	c.positions = map[string]Position{}
	for _, m := range root.members {
		c.positions[m.key] = m.value.pos
	}
	c.Algorithm = word(root.get("algorithm"))
	d.kernels(root.get("algorithm"))
	c.Executable = word(root.get("executable"))
	c.Kernel = word(root.get("kernel_name"))
	if p := word(root.get("processor")); p != "auto" {
		c.Processor = framework.Processor(p)
	}
	if p := word(root.get("output_file_prefix")); p != "" {
		c.Prefix = p
	}
	c.Versions = d.words(root.get("versions"))
	c.Sensors = d.sensors(root.get("sensors"))
	c.Counters = d.words(root.get("counters"))
	d.calibration(root.get("calibration"))
	c.Static = d.arguments(root.get("static_args"))
	c.Sweep = d.axes(root.get("sweep_arg"))
	c.Tunables = d.axes(root.get("tunables"))
	c.Constraints = d.words(root.get("tuning_constraints"))
	run := root.get("run_arg")
	c.One = d.arguments(run.get("one"))
	c.Many = d.arguments(run.get("many"))
	d.measure(root.get("measure"))
	d.judge(root.get("judge"))
	d.names()
	d.forBuiltins(root)
	d.forExecutables(root)
}

// word returns the value of a string, or "" for any other node.
func word(n *node) string {
	if n == nil || n.kind != text {
		return ""
	}
	return n.value.String()
}

// words reads a list of distinct strings; nil if n is no list.
func (d *decoder) words(n *node) []string {
	if n == nil || n.kind != array {
		return nil
	}
	list, seen := []string{}, map[string]bool{}
	for _, x := range n.items {
		w := word(x)
		if x.kind != text {
			continue
		}
		if seen[w] {
			d.add(x.pos, "%s is listed twice; remove one", x)
			continue
		}
		seen[w] = true
		d.c.positions[x.pos.Path] = x.pos
		list = append(list, w)
	}
	return list
}

// sensors reads a list of names and of objects {"external": …}.
func (d *decoder) sensors(n *node) []string {
	if n == nil || n.kind != array {
		return nil
	}
	list := []string{}
	for _, x := range n.items {
		name := word(x)
		if e := x.get("external"); e != nil {
			name = "external"
			d.c.External = &framework.ExternalPower{Command: d.command(e.get("command")), File: word(e.get("file")), StampedCommand: d.command(e.get("stamped_command"))}
		} else if x.kind != text {
			continue
		}
		if slices.Contains(list, name) {
			d.add(x.pos, "%s is listed twice; remove one", quote(name))
			continue
		}
		d.c.positions[fmt.Sprintf("sensors[%d]", len(list))] = x.pos
		list = append(list, name)
	}
	return list
}

// calibration reads an object of calibrations by sensor.
func (d *decoder) calibration(n *node) {
	if n == nil || n.kind != object {
		return
	}
	d.c.Calibration = map[string]framework.Calibration{}
	for _, m := range n.members {
		k := framework.Calibration{Source: "config"}
		if x := m.value.get("gain"); x != nil && x.kind == number {
			k.Gain = x.value.Float()
		}
		if x := m.value.get("offset_W"); x != nil && x.kind == number {
			k.Offset = x.value.Float()
		}
		if s := word(m.value.get("source")); s != "" {
			k.Source = s
		}
		d.c.positions[m.pos.Path] = m.pos
		d.c.Calibration[m.key] = k
	}
}

// command reads a list of strings, which may repeat.
func (d *decoder) command(n *node) (words []string) {
	if n == nil {
		return nil
	}
	for _, x := range n.items {
		words = append(words, word(x))
	}
	return words
}

// names refuses a name given twice, whatever its dashes.
func (d *decoder) names() {
	seen := map[string]string{}
	once := func(name string, pos Position) {
		bare := strings.TrimLeft(name, "-")
		if first, twice := seen[bare]; twice {
			d.add(pos, "%s is set twice, first at %s; remove one", quote(name), first)
			return
		}
		seen[bare] = pos.Path
	}
	for _, s := range d.c.Static {
		once(s.Name, s.Pos)
	}
	for _, a := range d.c.Sweep {
		once(a.Name, a.Pos)
	}
	clear(seen)
	for _, a := range d.c.Tunables {
		once(a.Name, a.Pos)
	}
}

// forBuiltins refuses keys that only an executable may have, and takes the number of run_arg.many
// as the least number of samples.
func (d *decoder) forBuiltins(root *node) {
	if d.c.Algorithm == "" {
		return
	}
	if m := root.member("kernel_name"); m != nil {
		d.add(m.pos, `kernel_name labels an executable; a built-in's versions are chosen by "versions"`)
	}
	if root.get("measure").get("min_samples") != nil {
		return
	}
	for _, s := range d.c.Many {
		if s.Value.Kind() != framework.Int {
			continue
		}
		if n := s.Value.Int(); n < 1 || n > 1e6 {
			d.add(s.at, "%d is not a number of samples; want a whole number from 1 to 1000000", n)
		} else {
			d.c.Measure.MinSamples = int(n)
		}
		return
	}
}

// forExecutables refuses keys that only a built-in may have.
func (d *decoder) forExecutables(root *node) {
	if d.c.Executable == "" {
		return
	}
	if m := root.member("versions"); m != nil {
		d.add(m.pos, "versions are a built-in's; an executable has none, sweep its arguments by sweep_arg")
	}
	d.placeholders(root.get("executable").pos)
}

func (d *decoder) measure(n *node) {
	m := &d.c.Measure
	if n == nil || n.kind != object {
		return
	}
	whole := func(key string, v int64) int64 {
		if x := n.get(key); x != nil && x.kind == number {
			return x.value.Int()
		}
		return v
	}
	real := func(key string, v *float64) {
		if x := n.get(key); x != nil && x.kind == number {
			*v = x.value.Float()
		}
	}
	m.Repeats = int(whole("repeats", int64(m.Repeats)))
	m.MinSamples = int(whole("min_samples", int64(m.MinSamples)))
	m.Releases = int(whole("releases", int64(m.Releases)))
	m.FlushBytes = whole("flush_bytes", m.FlushBytes)
	if x := n.get("flush"); x != nil && x.kind == text {
		m.Flush = Flush(x.value.String())
	}
	if x := n.get("cpu_caches"); x != nil && x.kind == text {
		m.CPUCaches = Caches(x.value.String())
	}
	if x := n.get("cpu_affinity"); x != nil && x.kind == text {
		m.CPUAffinity = Affinity(x.value.String())
	}
	real("min_time_s", &m.MinTime)
	real("noise", &m.Noise)
	real("timeout_s", &m.Timeout)
	real("miss_share", &m.MissShare)
	real("point_timeout_s", &m.PointTimeout)
	real("power_window_s", &m.PowerWindow)
	real("cooldown_s", &m.CoolDown)
	real("clock_fraction", &m.ClockFraction)
	if x := n.get("ceilings"); x != nil && x.kind == boolean {
		m.Ceilings = x.flag
	}
	if x := n.get("stages"); x != nil && x.kind == boolean {
		m.Stages = x.flag
	}
	// A default beyond what a point may take is a share of that instead.
	for key, v := range map[string]*float64{"timeout_s": &m.Timeout, "power_window_s": &m.PowerWindow} {
		if n.get(key) == nil && *v > m.PointTimeout {
			*v = m.PointTimeout / timingShare
		}
	}
	d.longer(n, "timeout_s", m.Timeout, "point_timeout_s", m.PointTimeout)
	d.longer(n, "power_window_s", m.PowerWindow, "point_timeout_s", m.PointTimeout)
}

// longer refuses a time v above the time most, which bounds it.
func (d *decoder) longer(n *node, key string, v float64, bound string, most float64) {
	if v <= most {
		return
	}
	pos := n.pos
	for _, k := range []string{bound, key} {
		if x := n.get(k); x != nil {
			pos = x.pos
		}
	}
	d.add(pos, "%s (%g) is longer than %s (%g); want at most that", key, v, bound, most)
}

// arguments reads every form of static_args and run_arg.
func (d *decoder) arguments(n *node) (list []Argument) {
	d.pairs(n, "value", func(name string, pos Position, v *node) {
		loads(name, v)
		if v.kind == number || v.kind == text {
			list = append(list, Argument{Name: name, Value: v.value, Pos: pos, at: v.pos})
		}
	})
	return list
}

// axes reads every form of sweep_arg and tunables.
func (d *decoder) axes(n *node) (list []Axis) {
	d.pairs(n, "values", func(name string, pos Position, v *node) {
		loads(name, v)
		a := d.axis(v)
		a.Name, a.Pos = name, pos
		list = append(list, a)
	})
	return list
}

// pairs calls each for every name and value in n, which is a pair, an object with the keys name and
// value, an object of names, or a list of these.
func (d *decoder) pairs(n *node, value string, each func(name string, pos Position, v *node)) {
	switch {
	case n == nil:
	case n.kind == array && len(n.items) == 2 && n.items[0].kind == text:
		each(word(n.items[0]), n.items[0].pos, n.items[1])
	case n.kind == array:
		for _, x := range n.items {
			if x.kind == object || x.kind == array && len(x.items) > 0 && x.items[0].kind == text {
				d.pairs(x, value, each)
			}
		}
	case n.kind == object && (n.get("name") != nil || n.get(value) != nil):
		if name, v := n.get("name"), n.get(value); name != nil && name.kind == text && v != nil {
			each(word(name), name.pos, v)
		}
	case n.kind == object:
		for _, m := range n.members {
			each(m.key, m.pos, m.value)
		}
	}
}
