package tuning

import "math"

// Importance is, for each parameter, the share of the variance of the costs'
// logarithms that its values explain: the variance between the groups of equal
// value by the whole variance, less what as many groups would explain by chance
// (ω², Hays, "Statistics"). Points and costs are the valid trials.
func Importance(s *Space, points []int, costs []float64) []float64 {
	shares := make([]float64, len(s.Parameters))
	n := float64(len(points))
	if len(points) < 3 {
		return shares
	}
	mean := 0.0
	logs := make([]float64, len(costs))
	for i, c := range costs {
		logs[i] = math.Log(c)
		mean += logs[i] / n
	}
	total := 0.0
	for _, x := range logs {
		total += (x - mean) * (x - mean)
	}
	for d, p := range s.Parameters {
		sums, counts := make([]float64, len(p.Values)), make([]float64, len(p.Values))
		for i, point := range points {
			v := s.Indexes(point)[d]
			sums[v] += logs[i] - mean
			counts[v]++
		}
		between, groups := 0.0, 0.0
		for v, c := range counts {
			if c > 0 {
				between += sums[v] * sums[v] / c
				groups++
			}
		}
		if groups < 2 || groups >= n || total == 0 {
			continue
		}
		within := (total - between) / (n - groups) // mean square
		shares[d] = max(0, (between-(groups-1)*within)/(total+within))
	}
	return shares
}
