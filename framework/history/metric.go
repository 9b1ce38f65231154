package history

import (
	"slices"

	"example.org/bench/framework/record"
)

// Metric is a quantity of which less is better.
type Metric struct {
	Name, Title, Unit string
	// Worse and Better are words for more and less of it.
	Worse, Better string
	of            func(*record.Row) [3]record.Number // value and the ends of its interval
}

// isTime says that the metric of that name is a time.
func isTime(name string) bool {
	return slices.ContainsFunc(Metrics(), func(m Metric) bool { return m.Name == name && m.Unit == "s" })
}

// Metrics are all, in the order of reports.
func Metrics() []Metric {
	return []Metric{
		{"time", "time of one run", "s", "slower", "faster", func(r *record.Row) [3]record.Number {
			return [3]record.Number{r.Time.Median, r.Time.Low, r.Time.High}
		}},
		{"energy", "energy of one run", "J", "more energy", "less energy", func(r *record.Row) [3]record.Number {
			x, u := r.Energy.Get().Total, r.Energy.Get().Uncertainty
			if !x.IsSet() || !u.IsSet() {
				return [3]record.Number{x}
			}
			return [3]record.Number{x, record.Measured(x.Float() - u.Float()), record.Measured(x.Float() + u.Float())}
		}},
		{"latency", "median latency at a rate", "s", "slower", "faster", func(r *record.Row) [3]record.Number {
			return [3]record.Number{r.Rate.Get().P50, r.Rate.Get().P50Low, r.Rate.Get().P50High}
		}},
		{"latency_p99", "99th percentile of the latency", "s", "slower", "faster", func(r *record.Row) [3]record.Number {
			return [3]record.Number{r.Rate.Get().P99, r.Rate.Get().P99Low, r.Rate.Get().P99High}
		}},
	}
}
