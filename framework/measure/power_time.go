package measure

// PowerTime is for how many seconds the power of one point is measured at least, with a
// sensor that takes a new value every period seconds and averages over that many, or
// does not say (negative): lead-in, idle time, lead-in, window and one update more, as
// Meter.Measure has them.
func PowerTime(window, period, averaging float64) float64 {
	lead := max(leastLead, settleTimes*averaging, 2*period)
	window = max(window, windowPeriods*period, windowTimes*averaging)
	if averaging < 0 {
		lead, window = max(leastLead, unknownLead, 2*period), max(window, unknownWindow)
	}
	idle := max(leastIdle, idlePeriods*period, window/4)
	return lead + idle + lead + window + period
}
