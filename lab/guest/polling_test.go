package guest

import (
	"encoding/json"
	"testing"
)

// checkPolling: a sample is two transactions on the bus for each rail, of volts and of
// amperes, and none besides.
func checkPolling(t *testing.T, text string) {
	var p struct {
		Samples, Channels, Transactions int
		Seconds                         float64
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if p.Channels != 4 || p.Transactions != 2*p.Channels*p.Samples {
		t.Errorf("%d samples of %d channels are %d transactions; want two for each channel of four", p.Samples, p.Channels, p.Transactions)
	}
	// The guest counts 8 ns for each instruction of the processor.
	perSample := p.Seconds / float64(p.Samples)
	t.Logf("a sample takes %.0f us of processor time: %.0f thousand instructions", perSample*1e6, perSample/8e-9/1e3)
	if !(perSample > 0) || perSample > 0.1*20e-3 {
		t.Errorf("a sample takes %v s of processor time: more than a tenth of the longest polling interval", perSample)
	}
}
