package record

import "fmt"

// Rates says which work the rates in a run's table and figures are of.
type Rates string

const (
	// NominalRates are of the problem's operations and bytes, the same for every version, so that
	// they compare versions as times do.
	NominalRates Rates = "nominal"
	// ExecutedRates are of the operations that each version executes and the bytes that it loads
	// and stores, as counted by hand (Frisberg, Geirsson and Urpi Hedbjörk, 3.1.3).
	ExecutedRates Rates = "executed"
)

// RatesHelp says in a flag's help what the words are.
const RatesHelp = "rates of the problem's operations and bytes, or of what each version executes and accesses"

// String returns the word. The zero value is NominalRates.
func (r *Rates) String() string {
	if *r == "" {
		return string(NominalRates)
	}
	return string(*r)
}

// Set takes one of the two words.
func (r *Rates) Set(word string) error {
	switch x := Rates(word); x {
	case NominalRates, ExecutedRates:
		*r = x
		return nil
	}
	return fmt.Errorf("want %s or %s", NominalRates, ExecutedRates)
}

// Type names the value in a flag's help.
func (*Rates) Type() string { return "nominal|executed" }

// deriveExecuted sets the rates that follow from the counts of the version.
func (row *Row) deriveExecuted() {
	const giga = 1e9
	load, store := row.Memory.LoadBytes.number(), row.Memory.StoreBytes.number()
	accessed := Number{}
	if load.IsSet() && store.IsSet() {
		accessed = Measured(load.value() + store.value())
	}
	row.Work.Executed = row.Work.FLOPs.number().over(row.Time.Median).per(giga)
	row.Memory.Accessed = accessed.over(row.Time.Median).per(giga)
	energy := row.Energy.Get().Total
	if !energy.IsSet() {
		return
	}
	p := row.Power.Get()
	p.Executed = row.Work.FLOPs.number().over(energy).per(giga)
	p.Accessed, p.Loaded, p.Stored = accessed.over(energy).per(giga), load.over(energy).per(giga), store.over(energy).per(giga)
	if p != row.Power.Get() { // else rows that share it go on to do so
		row.Power = RareOf(p)
	}
}

// FLOPRate returns a row's rate of operations, in 10^9 per second.
func (r *Run) FLOPRate(w *Row) Number {
	if r.Rates == ExecutedRates {
		return w.Work.Executed
	}
	return w.Work.GFLOPPerS
}

// ByteRate returns a row's rate of bytes, in 10^9 per second.
func (r *Run) ByteRate(w *Row) Number {
	if r.Rates == ExecutedRates {
		return w.Memory.Accessed
	}
	return w.Memory.GBytePerS
}

// FLOPsPerJoule returns a row's operations per joule, in 10^9.
func (r *Run) FLOPsPerJoule(w *Row) Number {
	if r.Rates == ExecutedRates {
		return w.Power.Get().Executed
	}
	return w.Power.Get().PerWatt
}

// BytesPerJoule returns a row's bytes per joule, in 10^9.
func (r *Run) BytesPerJoule(w *Row) Number {
	if r.Rates == ExecutedRates {
		return w.Power.Get().Accessed
	}
	return w.Power.Get().BytesPerWatt
}
