package engine

import (
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
	"example.org/bench/framework/record"
)

// Dumped begins the note of a point whose wrong answer was written to files.
const Dumped = "the answer and the right one: "

// explain adds to failed checks which elements of the answer are wrong, and writes both arrays if
// asked for. again reports whether the version may run again, which shows elements that it never
// writes. What cannot be found out is left out.
func (w *worker) explain(alg framework.BaseAlgorithm, res *record.Result, again bool) {
	a, ok := alg.(framework.Answerer)
	if !ok || !w.roomToExplain(res) {
		return
	}
	answers, err := a.Answers()
	if err != nil {
		res.Notes = append(res.Notes, "where the answer is wrong is unknown: "+oneLine(err))
		return
	}
	var unwritten [][]bool
	if o, ok := alg.(framework.Overwriter); ok && again && !w.setup.Trial && w.marks == nil {
		for i := range answers { // the version owns their memory
			answers[i].Got.Bytes = slices.Clone(answers[i].Got.Bytes)
		}
		unwritten = w.unwritten(a, o, len(answers))
	}
	for i, answer := range answers {
		var never []bool
		if unwritten != nil {
			never = unwritten[i]
		}
		m, err := mismatch.Of(answer, never)
		if err != nil {
			res.Notes = append(res.Notes, "where the answer is wrong is unknown: "+oneLine(err))
			continue
		}
		at := explains(res.Checks, answer.Metric)
		if at < 0 || m.Wrong == 0 && len(answers) > 1 && res.Checks[at].Metric != answer.Metric {
			continue
		}
		res.Checks[at].Where = m.String()
		if w.setup.Dump == "" {
			continue
		}
		path, err := m.Dump(w.setup.Dump, res.Point.Key(), w.plugins.Picture)
		if err != nil {
			res.Notes = append(res.Notes, oneLine(err))
			continue
		}
		note := Dumped + path + ".got.npy, .want.npy"
		if w.plugins.Picture != nil {
			note += ", .png"
		}
		res.Notes = append(res.Notes, note)
	}
}

// explains returns the index of the failed check that an answer explains: the one with that metric,
// or else the last unexplained one, or -1.
func explains(checks []framework.Check, metric string) int {
	if at := slices.IndexFunc(checks, func(c framework.Check) bool { return c.Metric == metric }); at >= 0 {
		if checks[at].OK() {
			return -1
		}
		return at
	}
	for at, c := range slices.Backward(checks) {
		if !c.OK() && c.Where == "" {
			return at
		}
	}
	return -1
}

// roomToExplain reports whether the right answer, which a fast check does not need, fits in memory.
func (w *worker) roomToExplain(res *record.Result) bool {
	if res.Verification != framework.FastVerification || w.factory == nil {
		return true
	}
	p := res.Point
	need := w.factory.Memory(w.factory.VersionOn(p.Version, p.Processor), p.Own(), p.Tunables, true)
	m := machineMemory()
	return m.total == 0 || need.Host < m.free
}

// unwritten returns for each output which elements no run writes. The version runs twice on outputs
// filled with different bytes. The result is nil if that fails.
func (w *worker) unwritten(alg framework.Answerer, over framework.Overwriter, outputs int) [][]bool {
	bytes := []byte{0x5a, 0xa5}
	var left [][]framework.Array // by run and output
	for _, b := range bytes {
		if err := over.Overwrite(b); err != nil {
			return nil
		}
		if r, ok := alg.(framework.Resetter); ok {
			if r.Reset() != nil {
				return nil
			}
		}
		if alg.Run() != nil || w.synchronize(alg) != nil {
			return nil
		}
		answers, err := alg.Answers()
		if err != nil || len(answers) != outputs {
			return nil
		}
		var list []framework.Array
		for _, a := range answers {
			output := a.Output
			if output.Type == "" {
				output = a.Got
			}
			output.Bytes = slices.Clone(output.Bytes)
			list = append(list, output)
		}
		left = append(left, list)
	}
	all := make([][]bool, outputs)
	for i := range all {
		all[i] = mismatch.NeverWritten(left[0][i], bytes[0], left[1][i], bytes[1])
	}
	return all
}

// DumpNotes returns the notes of a point that say where its arrays were written.
func DumpNotes(r *record.Result) (list []string) {
	for _, n := range r.Notes {
		if strings.HasPrefix(n, Dumped) {
			list = append(list, n)
		}
	}
	return list
}
