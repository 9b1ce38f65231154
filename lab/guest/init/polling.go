//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/sensors/ina3221"
)

// samples are taken to learn what one costs.
const samples = 100

// polling is what 100 samples of the sensor took.
type polling struct {
	Samples      int     `json:"samples"`
	Channels     int     `json:"channels"`
	Transactions int     `json:"transactions"` // on the bus
	Seconds      float64 `json:"seconds"`      // of processor time
}

// pollSensor samples the sensor as a run does, and counts what the kernel traces on the
// bus meanwhile (Linux, "Event Tracing", smbus_read).
func pollSensor() error {
	const tracing = "/tracing"
	if err := os.MkdirAll(tracing, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("tracefs", tracing, "tracefs", 0, ""); err != nil {
		return fmt.Errorf("mount tracefs: %w", err)
	}
	s, err := ina3221.Factory().Open(framework.SensorEnv{Root: "/", Measuring: true})
	if err != nil {
		return err
	}
	defer s.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := polling{Samples: samples, Channels: len(s.Channels())}
	values := make([]float64, p.Channels)
	if err := os.WriteFile(tracing+"/events/smbus/smbus_read/enable", []byte("1"), 0); err != nil {
		return err
	}
	before, err := processor()
	if err != nil {
		return err
	}
	for range samples {
		if err := s.Sample(values); err != nil {
			return err
		}
	}
	after, err := processor()
	if err != nil {
		return err
	}
	p.Seconds = after - before
	if err := os.WriteFile(tracing+"/events/smbus/smbus_read/enable", []byte("0"), 0); err != nil {
		return err
	}
	trace, err := os.ReadFile(tracing + "/trace")
	if err != nil {
		return err
	}
	p.Transactions = strings.Count(string(trace), "smbus_read:")
	fmt.Println("== polling")
	return json.NewEncoder(os.Stdout).Encode(p)
}

// processor is the seconds of processor time that this thread has taken.
func processor() (float64, error) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return float64(t.Nano()) * 1e-9, err
}
