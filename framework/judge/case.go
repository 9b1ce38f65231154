package judge

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
)

// Case is a candidate prepared for judging.
type Case struct {
	task      *Task
	candidate Candidate
	subject   experiment.Subject
	folder    string
	refusal   *Refusal // nil if it is not refused
}

// Prepare puts a candidate in the place of the task's source. The Case of a refused candidate has
// the judgement Refused. The caller closes the Case.
func (t *Task) Prepare(c Candidate) (*Case, error) {
	k := &Case{task: t, candidate: c}
	err := k.place()
	if errors.As(err, &k.refusal) {
		err = nil
	}
	if err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

func (k *Case) place() (err error) {
	t := k.task
	folder, err := filepath.Abs(t.folder())
	if err != nil {
		return err
	}
	source, err := filepath.Abs(t.source)
	if err != nil {
		return err
	}
	if err := k.candidate.check(t.Forms(), folder, source); err != nil {
		return err
	}
	var file string
	if k.folder, file, err = k.candidate.place(folder, source); err != nil {
		return err
	}
	k.subject, err = t.with(file)
	var faults *config.Errors
	if errors.As(err, &faults) {
		return refuse("%s", k.tidy(faults.List[0].Msg))
	}
	return err
}

// Close removes what Prepare made.
func (k *Case) Close() {
	if k.folder != "" {
		os.RemoveAll(k.folder)
	}
}

// tidy removes the candidate's folder from a text.
func (k *Case) tidy(text string) string {
	if k.folder == "" {
		return text
	}
	return strings.ReplaceAll(text, k.folder+string(filepath.Separator), "")
}

// JudgeFile judges the candidate in a file, as Case.Judge does.
func (t *Task) JudgeFile(ctx context.Context, path string, opt Options) (*Judgement, error) {
	c, err := ReadCandidate(path)
	if err != nil {
		return nil, err
	}
	k, err := t.Prepare(c)
	if err != nil {
		return nil, &experiment.RunError{Err: err}
	}
	defer k.Close()
	return k.Judge(ctx, opt)
}
