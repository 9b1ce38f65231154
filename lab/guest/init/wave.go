//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// account is one execution of wave by the guest's own clock.
type account struct {
	Joules  float64 `json:"joules"` // of the driven channel
	Seconds float64 `json:"seconds"`
	Watts   float64 `json:"watts"` // the higher power
}

// wave drives channel 1 of chip 0x40 for so many seconds with a square wave,
// half a second at each power, or as --pulse with the higher power alone, the board's input with ten times that, and the module's with five times, appends what it took to /tmp/accounts and says
// its time as bench wants it. As --mode it is a pulse that is as long and as high as the board's power mode lets the GPU's clock be.
func wave(args []string) error {
	var seconds float64
	if len(args) != 2 || args[0] != "--seconds" && args[0] != "--pulse" && args[0] != "--mode" {
		return fmt.Errorf("want --seconds N, --pulse N or --mode N, got %q", args)
	}
	if _, err := fmt.Sscan(args[1], &seconds); err != nil {
		return err
	}
	high := highPower
	if args[0] == "--mode" {
		share, err := clockShare()
		if err != nil {
			return err
		}
		seconds, high = seconds/share, lowPower+share*(highPower-lowPower)
	}
	bus, err := openBus(os.Getenv("WAVE_BUS"), chips[0])
	if err != nil {
		return err
	}
	input, err := openBus(os.Getenv("WAVE_BUS"), inputChip)
	if err != nil {
		return err
	}
	monitor, err := openBus(os.Getenv("WAVE_BUS"), monitorChip)
	if err != nil {
		return err
	}
	drive := func(watts float64) error {
		return errors.Join(bus.setPower(watts), input.setInput(inputTimes*watts), monitor.setMonitor(monitorTimes*watts))
	}
	half := 500 * time.Millisecond
	pulse := args[0] != "--seconds"
	if pulse {
		half = time.Duration(seconds * float64(time.Second))
	}
	// On the guest's one CPU nothing reads the sensor while a program starts or ends: edges
	// next to that would be seen late.
	const margin = 40 * time.Millisecond
	if pulse {
		time.Sleep(margin)
	}
	start := time.Now()
	last, power, joules := start, lowPower, 0.0
	for step := 1; time.Duration(step-1)*half < time.Duration(seconds*float64(time.Second)); step++ {
		next := lowPower
		if power == lowPower && (step > 1 || pulse) {
			next = high
		}
		before := time.Now()
		if err := drive(next); err != nil {
			return err
		}
		now := before.Add(time.Since(before) / 2)
		joules += power * now.Sub(last).Seconds()
		last, power = now, next
		time.Sleep(time.Until(start.Add(time.Duration(step) * half)))
	}
	before := time.Now()
	if err := drive(lowPower); err != nil {
		return err
	}
	now := before.Add(time.Since(before) / 2)
	joules += power * now.Sub(last).Seconds()
	if pulse {
		time.Sleep(margin)
	}
	a := account{joules, now.Sub(start).Seconds(), high}
	f, err := os.OpenFile("/tmp/accounts", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(f).Encode(a); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Printf(`{"time_s": %g, "runs": 1, "flops": 0, "load_bytes": 0, "store_bytes": 0}`+"\n", max(a.Seconds, 1e-9))
	return nil
}

// clockShare is the highest clock that the board's power mode allows its GPU, by the highest there is.
func clockShare() (float64, error) {
	const highest = 1300500000 // Hz, of a TX2
	text, err := os.ReadFile(board + "/sys/class/devfreq/17000000.gp10b/max_freq")
	if err != nil {
		return 0, err
	}
	var hz float64
	_, err = fmt.Sscan(string(text), &hz)
	return hz / highest, err
}
