package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/framework/measure"
)

// stagesCSV is the file of stages; a run whose config asks for none has none.
const stagesCSV = "stages.csv"

// StageTiming is how a stage was run.
type StageTiming string

// StageAlone repeats the stage on what a run does before it, done once. StageBehind does that before each time,
// outside the timed part.
const (
	StageAlone  StageTiming = "alone"
	StageBehind StageTiming = "behind"
)

// StageResult is one stage of a point, as the journal keeps it.
type StageResult struct {
	Name     string          `json:"name"`
	Launches int             `json:"launches"`
	Timing   StageTiming     `json:"timing"`
	Time     *measure.Series `json:"time"`
	Energy   *measure.Energy `json:"energy,omitempty"`
	// Doubts are why time or energy may not be those within a run.
	Doubts []string `json:"doubts,omitempty"`
}

// Stage is one stage of a point's run: all launches of one kernel.
type Stage struct {
	Name        string      `csv:"stage" doc:"the kernel, all of whose launches in a run are one stage"`
	Launches    Count       `csv:"stage_launches" doc:"its launches in one run"`
	Timing      StageTiming `csv:"stage_timing" doc:"alone: back to back, as hot_time_s, on what the stages before it left once; behind: each time behind what a run does before it, which is not timed"`
	Time        Number      `csv:"time_s" doc:"median time of the stage, once"`
	Low         Number      `csv:"time_ci_low_s" doc:"lower end of its 95 % interval"`
	High        Number      `csv:"time_ci_high_s" doc:"upper end of it"`
	Samples     Count       `csv:"samples" doc:"samples that count"`
	Share       Number      `csv:"time_share" doc:"time_s by the sum over the point's stages"`
	Whole       Number      `csv:"whole_time_s" doc:"time of a whole run, timed likewise: hot_time_s, or time_s of a version that restores its inputs; the stages' sum differs from it by what they leave each other in caches, and by the gaps between kernels"`
	Energy      Number      `csv:"energy_J" doc:"energy of the stage, once, from a sustained run of it"`
	Uncertainty Number      `csv:"energy_uncertainty_J" doc:"half its 95 % interval by repeatability"`
	Power       Number      `csv:"power_W" doc:"mean power of that sustained run"`
	EnergyShare Number      `csv:"energy_share" doc:"energy_J by the sum over the point's stages"`
	WholeEnergy Number      `csv:"whole_energy_J" doc:"energy of a whole run"`
	Doubts      string      `csv:"doubts" doc:"why time or energy may not be those within a run"`
}

// Hollow reports whether figures show the stage's time as one in doubt.
func (s Stage) Hollow() bool {
	return Statistics{Median: s.Time, Low: s.Low, High: s.High}.Doubtful()
}

// HollowEnergy reports whether they show its energy so.
func (s Stage) HollowEnergy() bool {
	return s.Doubts != "" || s.Uncertainty.Float() > wellKnown*s.Energy.Float()
}

// stagesOf sets the row's stages, after all other columns.
func (row *Row) stagesOf(list []StageResult) {
	whole := row.Hot.Get().Median
	if !whole.IsSet() {
		whole = row.Time.Median
	}
	for _, x := range list {
		t := statistics([]*measure.Series{x.Time})
		s := Stage{Name: x.Name, Launches: Counted(int64(x.Launches)), Timing: x.Timing, Time: t.Median, Low: t.Low, High: t.High, Samples: t.Samples,
			Whole: whole, WholeEnergy: row.Energy.Get().Total}
		doubts := x.Doubts
		if x.Energy != nil {
			var own Row
			own.power(x.Energy)
			energy, power := own.Energy.Get(), own.Power.Get()
			doubts = union(doubts, own.Doubts)
			if x.Energy.Restoring == nil || energy.Restoring.IsSet() {
				s.Energy, s.Uncertainty, s.Power = energy.Total, energy.Uncertainty, power.Total
			} else {
				doubts = union(doubts, []string{"no energy: beside what comes before the stage it is too little to be told"})
			}
		}
		s.Doubts = strings.Join(doubts, "; ")
		row.Stages = append(row.Stages, s)
	}
	time, energy := row.stageSums()
	for i := range row.Stages {
		s := &row.Stages[i]
		s.Share, s.EnergyShare = s.Time.over(time), s.Energy.over(energy)
	}
}

// stageSums returns the sums of the stages' times and energies, none where a stage has none.
func (row *Row) stageSums() (time, energy Number) {
	for i, s := range row.Stages {
		if i == 0 {
			time, energy = s.Time, s.Energy
		} else {
			time, energy = time.plus(s.Time), energy.plus(s.Energy)
		}
	}
	return time, energy
}

// Together returns the sums of the stages' times and energies divided by those of a whole run; not set if
// unknown.
func (row *Row) Together() (time, energy Number) {
	if time, energy = row.stageSums(); len(row.Stages) == 0 {
		return time, energy
	}
	return time.over(row.Stages[0].Whole), energy.over(row.Stages[0].WholeEnergy)
}

// stageLines appends the stages of a batch's rows: what all files begin with, and a stage.
func stageLines(to *bytes.Buffer, b *batch, t *batchTables, header bool) error {
	var list []*Stage
	var of []int
	for i := range b.rows {
		for j := range b.rows[i].Stages {
			list, of = append(list, &b.rows[i].Stages[j]), append(of, i)
		}
	}
	t.own.reset(len(list))
	if err := addStructs(t.own, "", list); err != nil {
		return err
	}
	return t.write(to, header, func(i int) int { return of[i] })
}

// placedStage is a line of the file of stages.
type placedStage struct {
	Point int `csv:"point"`
	Stage
}

// readStages reads the stages of a run's rows; there may be none.
func (r *Run) readStages(dir string) error {
	at := map[int]int{}
	for i := range r.Rows {
		at[r.Rows[i].Point] = i
	}
	err := eachCompressed(filepath.Join(dir, r.file(stagesCSV)), func(x *placedStage) error {
		i, ok := at[x.Point]
		if !ok {
			return fmt.Errorf("there is no point %d in %s", x.Point, r.file(timeCSV))
		}
		r.Rows[i].Stages = append(r.Rows[i].Stages, x.Stage)
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
