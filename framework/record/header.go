package record

import (
	"errors"
	"fmt"
	"slices"

	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// journalFormat is the format that is written; docs/journal.md has its history.
// Formats from firstFormat on stay readable.
const (
	journalFormat = 3
	firstFormat   = 3
)

// Header describes a run and the program that measures it. Each process writes
// one into the journal; what the run is of is in the first.
type Header struct {
	Format     int    `json:"journal_format"` // set by the journal
	Config     string `json:"config"`         // path of the config file
	ConfigHash string `json:"config_hash"`
	// Set are the values that replace the config's, each NAME=V,V….
	Set  []string `json:"set,omitempty"`
	Seed uint64   `json:"seed"`
	// Version is the tool's, Program the SHA-256 of its file, Fingerprint that of
	// its algorithms and measuring method.
	Version     string `json:"version"`
	Program     string `json:"program,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// Sources is the SHA-256 of what the fingerprint is of, without the platform.
	Sources   string `json:"sources,omitempty"`
	Selection string `json:"selection"` // the flags that say what of the config runs
	Points    string `json:"points"`    // hash of their keys in order
	// Prefix, Axes and the number of points make a Run of a journal whose run
	// has not written its files; the number is 0 in a search's journal.
	Prefix string      `json:"prefix,omitempty"`
	Axes   []plan.Axis `json:"axes,omitempty"`
	Total  int         `json:"total,omitempty"`
}

// HeaderOf returns the header of a run or a search of a config by this tool; selection
// is Header.Selection.
func HeaderOf(c *config.Config, seed uint64, selection string) Header {
	return Header{Config: c.Path, ConfigHash: c.Hash, Set: c.Assignments, Seed: seed, Selection: selection,
		Version: ThisTool().Version, Program: program(), Fingerprint: fingerprint(), Sources: sourcesSum()}
}

// CanResume says in one line why a run under next cannot complete the results
// under h; nil if it can.
func (h Header) CanResume(next Header) error {
	differs := func(what string, had, have any) error {
		return fmt.Errorf("the journal is of %s %v, this run is of %v: resume with the same %s, or start anew without --resume",
			what, had, have, what)
	}
	switch {
	case h.ConfigHash != next.ConfigHash:
		return differs("config", name(h), name(next))
	case !slices.Equal(h.Set, next.Set):
		return differs("--set", h.Set, next.Set)
	case h.Seed != next.Seed:
		return differs("seed", h.Seed, next.Seed)
	case h.Selection != next.Selection:
		return differs("selection", h.Selection, next.Selection)
	case !h.sameMeasuring(next):
		return fmt.Errorf("the journal is of %s, this is %s, whose algorithms or measuring method are others: resume with that build, or start anew without --resume",
			h.build(), next.build())
	case h.Points != next.Points:
		return errors.New("the journal is of other points of this config: wisdom, devices or installed libraries have changed since; " +
			"start anew without --resume")
	}
	return nil
}

// sameMeasuring reports whether two programs measure the same.
func (h Header) sameMeasuring(next Header) bool {
	switch {
	case h.Program == "" && next.Program == "" && h.Fingerprint == "" && next.Fingerprint == "":
		return h.Version == next.Version
	case h.Program != "" && h.Program == next.Program:
		return true
	}
	return h.Fingerprint != "" && h.Fingerprint == next.Fingerprint
}

// build names a program.
func (h Header) build() string {
	if h.Program == "" {
		return "bench version " + h.Version
	}
	return fmt.Sprintf("bench version %s (program %.12s)", h.Version, h.Program)
}

func name(h Header) string {
	return fmt.Sprintf("%s (hash %.12s)", h.Config, h.ConfigHash)
}
