package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
)

// standardInput is the path of a config read from standard input.
const standardInput = "standard input"

// Load reads an experiment file, or standard input if the path is "-". It reads once, from front to
// back, so that a pipe works. Its errors are *Errors.
func Load(path string) (*Config, error) { return faultless(Draft(path)) }

// faultless leaves out a config with mistakes.
func faultless(c *Config, err error) (*Config, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Draft is Load, but returns a config with mistakes too, beside the errors, as far as it can be
// read: nil if it is no JSON object. It is for finding further mistakes.
func Draft(path string) (*Config, error) {
	in := os.Stdin
	if path == "-" {
		path = standardInput
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, failure(path, err, unreadable(path, err))
		}
		defer f.Close()
		if s, err := f.Stat(); err == nil && s.IsDir() {
			return nil, failure(path, errors.New("is a directory"), "this is a folder; "+wanted(path))
		}
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, bounded.MostText+1)) // parse refuses what is more
	if err != nil {
		return nil, failure(path, err, unreadable(path, err))
	}
	return parse(path, data)
}

// unreadable says why the file at path cannot be opened or read.
func unreadable(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file; " + wanted(path)
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it; want a file that you may read (chmod +r)"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return "cannot read it: " + err.Error()
}

// Parse parses an experiment file. path names it in errors, which are *Errors and list every
// problem found.
func Parse(path string, data []byte) (*Config, error) { return faultless(parse(path, data)) }

// parse is Parse for Draft.
func parse(path string, data []byte) (*Config, error) {
	if len(data) > bounded.MostText {
		return nil, failure(path, errTooLarge, "the file has more than 16 MiB; want an experiment file such as configs/fft.json")
	}
	errs := &Errors{}
	data, err := textfile.Plain(data)
	if err != nil {
		errs.Add(path, Position{Line: 1, Column: 1}, "%v", err)
		return nil, errs.Err()
	}
	root := read(path, data, errs)
	if root == nil {
		return nil, errs.Err()
	}
	if strings.Contains(word(root.get("$schema")), "json-schema.org") {
		return nil, failure(path, ErrSchema, ErrSchema.Error()+"; want an experiment file such as configs/fft.json")
	}
	if err := validate(path, root, errs); err != nil {
		return nil, failure(path, err, err.Error())
	}
	c := &Config{
		Path:    path,
		Text:    string(data),
		Hash:    Sum(Compact(data)),
		OldHash: Sum(data),
		Prefix:  baseName(path),
		Measure: DefaultMeasure(),
	}
	(&decoder{path: path, errs: errs, c: c}).config(root)
	return c, errs.Err()
}

// OfCommand returns the config that measures a command. Its output files are named after it.
func OfCommand(command []string) *Config {
	text, _ := json.Marshal(command) // strings marshal without error
	return &Config{Path: "command line", Hash: Sum(text), OldHash: Sum(text), Command: command,
		Prefix: strings.TrimLeft(filepath.Base(command[0]), "."), Measure: DefaultMeasure()}
}

// timingShare is the divisor of the limit that gives the most for timing alone: a third.
const timingShare = 3

// LimitPoint sets how many seconds a point may take, timing and power together.
func (c *Config) LimitPoint(seconds float64) {
	c.Measure.PointTimeout = seconds
	c.Measure.Timeout = min(c.Measure.Timeout, seconds/timingShare)
}

// Folder is where the results of a config go: out, where it is given, with a folder for each of several configs.
func (c *Config) Folder(out string, several bool) string {
	switch {
	case out == "":
		return filepath.Join("results", c.Prefix)
	case several:
		return filepath.Join(out, c.Prefix)
	}
	return out
}

// Extend makes Hash cover the files that define the algorithm, too.
func (c *Config) Extend(files ...[]byte) {
	of := func(text []byte) string {
		var all []byte
		for _, f := range append([][]byte{text}, files...) {
			all = append(fmt.Appendf(all, "%d\n", len(f)), f...)
		}
		return Sum(all)
	}
	c.Hash, c.OldHash = of(Compact([]byte(c.Text))), of([]byte(c.Text))
}

// escapes are what Go's encoder writes for three characters, as run.json has them.
var escapes = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// Compact returns JSON without the space between its tokens and without escapes, and other text as it is.
func Compact(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return []byte(escapes.Replace(b.String()))
}

// Sum returns the SHA-256 in hexadecimal.
func Sum(data []byte) string {
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}

// baseName returns the file's name without .json and without leading dots.
func baseName(path string) string {
	if path == standardInput {
		return "stdin"
	}
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	if name = strings.TrimLeft(name, "."); name == "" {
		return "bench"
	}
	return name
}

// DefaultMeasure returns the Measure of a config without a measure key.
func DefaultMeasure() Measure {
	return Measure{
		Repeats:       1,
		MinSamples:    10,
		MinTime:       0.5,
		Noise:         0.005,
		Timeout:       15,
		Releases:      10000,
		PointTimeout:  60,
		PowerWindow:   2,
		CoolDown:      10,
		FlushBytes:    0,
		Flush:         FlushClean,
		CPUCaches:     Hot,
		CPUAffinity:   Shared,
		ClockFraction: 0.75,
		Ceilings:      true,
	}
}
