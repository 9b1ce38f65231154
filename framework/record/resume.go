package record

import (
	"errors"

	"bench/framework/config"
)

// HeaderOf is the header of a run or a search of a config by this tool; selection
// is Header.Selection.
func HeaderOf(c *config.Config, seed uint64, selection string) Header {
	return Header{Config: c.Path, ConfigHash: c.Hash, Set: c.Assignments, Seed: seed, Version: ThisTool().Version, Selection: selection}
}

// ResumeJournal opens the journal in dir for more results, as OpenJournal does, if
// header can complete those in it.
func ResumeJournal(dir string, header Header) (*Journal, []Result, error) {
	had, results, j, err := OpenJournal(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := had.CanResume(header); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, results, nil
}
