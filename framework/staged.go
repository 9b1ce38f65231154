package framework

// Staged is implemented by a GPU version whose run is several stages, each of which can be run alone.
type Staged interface {
	GPUAlgorithm
	// Stages returns the stages in the order in which they begin. Together they are a run. It is valid after
	// PreRun.
	Stages() []Stage
	// RunStage enqueues stage i alone.
	RunStage(i int) error
	// RunBefore enqueues what a run does before stage i begins.
	RunBefore(i int) error
	// Repeatable reports whether stage i, run again on what it left, leaves the same: its memory is then that of
	// a whole run however often it is repeated. It runs the version up to the stage and waits for it.
	Repeatable(i int) (bool, error)
}

// Stage is a part of a run.
type Stage struct {
	Name     string
	Launches int // of kernels
	// Apart is set if other stages run between its launches.
	Apart bool
}
