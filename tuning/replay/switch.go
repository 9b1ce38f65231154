package replay

import (
	"fmt"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// mostSwitch bounds Options.Switch.
const mostSwitch = 3600

// CheckClock refuses a limit, given as the text of budget, and seconds to switch the power
// mode that spaces have no clock for.
func (o Options) CheckClock(spaces []*recorded.Space, budget string) error {
	if o.Switch != 0 && (!(o.Switch > 0 && o.Switch < mostSwitch) || !switches(spaces)) {
		return fmt.Errorf("--switch %v: want seconds, up to %d, and recorded spaces with power_mode, compile_s and run_s", o.Switch, mostSwitch)
	}
	if o.Limit > 0 && slices.ContainsFunc(spaces, func(s *recorded.Space) bool { return s.Compile == nil }) {
		return fmt.Errorf("--budget %s: a recorded space without compile_s and run_s has no clock; want a number of evaluations or %s", budget, tuning.AutoBudget)
	}
	return nil
}

// switches reports whether spaces have a power mode and a clock.
func switches(spaces []*recorded.Space) bool {
	return !slices.ContainsFunc(spaces, func(s *recorded.Space) bool { return s.Compile == nil || modeOf(s) < 0 })
}

// modeOf returns which parameter of a space is the power mode; -1: none.
func modeOf(s *recorded.Space) int {
	return slices.IndexFunc(s.Space.Parameters, func(p tuning.Parameter) bool { return p.Name == tuning.PowerMode })
}

// present returns the power mode that is assumed to be on before a search: the first of the first space.
func present(spaces []*recorded.Space) float64 {
	return spaces[0].Space.Parameters[modeOf(spaces[0])].Values[0]
}
