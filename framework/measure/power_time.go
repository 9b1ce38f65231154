package measure

// PowerTime returns how many seconds measuring the power of one point takes at least, with a sensor
// that takes a new value every period seconds and averages over averaging seconds, or does not say
// (negative): lead-in, idle time, lead-in, window and one more update, as in Meter.Measure.
func PowerTime(window, period, averaging float64) float64 {
	lead := max(leastLead, settleTimes*averaging, 2*period)
	window = max(window, windowPeriods*period, windowTimes*averaging)
	if averaging < 0 {
		lead, window = max(leastLead, unknownLead, 2*period), max(window, unknownWindow)
	}
	idle := max(leastIdle, idlePeriods*period, window/4)
	return lead + idle + lead + window + period
}
