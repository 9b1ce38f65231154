package record

import (
	"errors"
	"fmt"

	"example.org/bench/framework/plan"
)

// ResumeJournal opens the journal in dir for more results, as OpenJournal does, if
// a run under header can complete those in it.
func ResumeJournal(dir string, header Header) (*Journal, []Result, error) {
	had, results, j, err := OpenJournal(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := had.CanResume(header); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	if had.build() != header.build() {
		j.note("the journal is of %s, this is %s, whose algorithms and measuring method are the same", had.build(), header.build())
	}
	header.Format = journalFormat
	if err := j.write(headerLine, header); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, results, nil
}

// maxStarts is how often a point is started that leaves no result.
const maxStarts = 2

// Start puts on disk that a point is about to run. It returns why the point must
// not run again: it may be what takes the machine down.
func (j *Journal) Start(p plan.Point) (refusal string, err error) {
	key := p.Key()
	if j.starts[key] >= maxStarts {
		return fmt.Sprintf("it was started %d times and left no result: each time the run was killed or the machine went down; a run without --resume starts it again",
			j.starts[key]), nil
	}
	if err := j.write(startedLine, started{key, Now()}); err != nil {
		return "", err
	}
	j.starts[key]++
	return "", nil
}

// Withdraw puts on disk that the point was ended on purpose, so that its start
// does not count.
func (j *Journal) Withdraw(p plan.Point) error {
	j.starts[p.Key()]--
	return j.write(stoppedLine, started{p.Key(), Now()})
}
