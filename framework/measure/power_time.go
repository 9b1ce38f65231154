package measure

// PowerTime returns the least seconds that measuring the power of one point takes: lead-in, idle time,
// lead-in, window and one more update, as in Meter.Measure. period is the update period of the sensor in
// seconds, and averaging the time over which it averages; negative if it does not say.
func PowerTime(window, period, averaging float64) float64 {
	lead := max(leastLead, settleTimes*averaging, 2*period)
	window = max(window, windowPeriods*period, windowTimes*averaging)
	if averaging < 0 {
		lead, window = max(leastLead, unknownLead, 2*period), max(window, unknownWindow)
	}
	idle := max(leastIdle, idlePeriods*period, window/4)
	return lead + idle + lead + window + period
}
