package record

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the documentation from the code")

// tags writes one line a column of a struct; a column without a description
// fails the test.
func tags(t *testing.T, b *bytes.Buffer, prefix, note string, of any) {
	typ := reflect.TypeOf(of)
	for i := range typ.NumField() {
		f := typ.Field(i)
		doc := f.Tag.Get("doc")
		if doc == "" {
			t.Errorf("%s.%s has no doc tag", typ.Name(), f.Name)
		}
		fmt.Fprintf(b, "| `%s%s` | %s%s |\n", prefix, f.Tag.Get("csv"), doc, note)
	}
}

func columnsDocument(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(`# The files of a run

Written by ` + "`make references`" + ` from the code.

A run of one config leaves these files in its folder; PREFIX is the config's ` + "`output_file_prefix`" + `. A cell is
empty where nothing was measured: it is never 0 for that reason. Units are in the columns' names: SI base units, except
that derived rates are per 10^9. Shares are of 1.

| File | Content |
|---|---|
`)
	for _, f := range [][2]string{
		{SummaryFile, "of each point what one looks for first, in at most 14 columns"},
		{"PREFIX_" + timeCSV, "time of each point, its spread, and the answer's error"},
		{"PREFIX_" + flopsCSV, "operations and their rate"},
		{"PREFIX_" + bytesCSV, "memory traffic and its rate"},
		{"PREFIX_" + powerCSV, "power of a sustained run, total and by rail"},
		{"PREFIX_" + energyCSV, "energy of one run, total and by rail"},
		{"PREFIX_" + rateCSV, "latencies of points at a rate; absent where there is none"},
		{"PREFIX_" + latencyCSV, "histograms of those latencies"},
		{"PREFIX_" + countersCSV, "counters of the hardware (`counters` of the config); absent where there are none"},
		{"PREFIX_" + kernelsCSV, "counters of each launch, of runs that have several"},
		{"PREFIX_" + stagesCSV, "shares of a run's kernels in its time and energy (`measure.stages`); absent where there are none"},
		{"PREFIX_" + samplesCSV, "every timed sample"},
		{"PREFIX_" + powerSamplesCSV, "every reading of a power channel; absent where there is none"},
		{InfoFile, "config, tool, machine, devices and their ceilings, sensors, what was left out"},
		{JournalFile, "every finished point with its samples, and what each process found of machine, devices and sensors, as the run went; `--resume` reads it, and `plot` and `compare` where there is no `run.json`, or one of fewer points ([its format](journal.md))"},
	} {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f[0], f[1])
	}
	head := func(title string) {
		fmt.Fprintf(&b, "\n## %s\n\n| Column | Meaning |\n|---|---|\n", title)
	}
	head(SummaryFile)
	b.WriteString("| | The first three swept parameters have columns by their names. Numbers have the digits that are known. Of points at a rate the rate's columns take the place of the time's. |\n")
	var written []string
	for _, rates := range []bool{false, true} {
		for _, c := range (&Run{}).summaryColumns(rates) {
			if !slices.Contains(written, c.name) {
				fmt.Fprintf(&b, "| `%s` | %s |\n", c.name, c.doc)
				written = append(written, c.name)
			}
		}
	}
	head("The first columns of the five CSV files")
	tags(t, &b, "", "", Key{})
	b.WriteString("| each parameter | by its name (`param_NAME` where another column has that name) |\n")
	b.WriteString("| each tunable | by its name (`tunable_NAME` where another column has that name); empty for a version without it |\n")
	tags(t, &b, "", "", Outcome{})
	head(timeCSV)
	b.WriteString("| | The headline `time_s` is cold on a GPU (caches flushed before each sample) and hot on a CPU, unless `measure.cpu_caches` asks for cold, and for programs (back to back). |\n")
	tags(t, &b, "", "", Statistics{})
	fmt.Fprintf(&b, "| `%stime_s` … `%ssm_clock_Hz` | the same for the hot series where `time_s` is cold |\n", hotPrefix, hotPrefix)
	tags(t, &b, "", "", Timing{})
	tags(t, &b, "", "", Verification{})
	tags(t, &b, "", "", Conditions{})
	tags(t, &b, "", "", Neighbours{})
	before, after := temperatureColumns("SENSOR")
	fmt.Fprintf(&b, "| `%s`, `%s` | temperature before the timing and after the last measurement |\n", before, after)
	for _, c := range [][2]string{
		{"`clock_CLOCK_min_Hz`, `clock_CLOCK_max_Hz`, `clock_CLOCK_governor`", "limits of a clock (GPU, EMC, CPU 0-3, …) before the timing, and what chooses between them"},
		{"`clock_CLOCK_before_Hz`, `clock_CLOCK_after_Hz`", "its frequency before the timing and right after it"},
		{"`" + pinnedColumn + "`", "of a Jetson: on if the GPU's and the CPUs' clocks cannot move, else off"},
		{"`" + eventColumn + "COUNTER`", "by how much a Jetson's counter of over-current and under-voltage events (oc1, oc2, oc3) rose from before the timing to after the last measurement"},
		{"`" + coolingColumn + "DEVICE_before`, `" + coolingColumn + "DEVICE_after`", "state of a cooling device that is not a fan; above 0 it holds a clock down"},
		{"`" + alarmColumn + "`", "current limits of power monitors that were exceeded, before or after"},
		{"`" + fanColumn + "pwm_before`, `" + fanColumn + "pwm_after`, `" + fanColumn + "rpm_before`, `" + fanColumn + "rpm_after`", "fan: 0 to 255, or turns a minute"},
		{"`" + throttleColumn + "`", "counters that rose, cooling devices above 0 and alarms; none if there are none, empty if nothing tells"},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
	}
	head(flopsCSV)
	tags(t, &b, "", "", WorkRates{})
	head(bytesCSV)
	tags(t, &b, "", "", MemoryRates{})
	head(powerCSV)
	tags(t, &b, "", "", Power{})
	b.WriteString("| `SENSOR_CHANNEL_power_W`, `SENSOR_CHANNEL_power_uncertainty_W`, `SENSOR_CHANNEL_idle_W` | mean power of one channel in the sustained run, half its 95 % interval, and mean power before it |\n")
	head(energyCSV)
	tags(t, &b, "", "", Energy{})
	b.WriteString("| `SENSOR_CHANNEL_energy_J`, `SENSOR_CHANNEL_uncertainty_J`, `SENSOR_CHANNEL_combined_uncertainty_J`, `SENSOR_CHANNEL_energy_above_idle_J` | energy of one run by one channel, half its 95 % interval by repeatability and with the calibration, and the energy less the channel's idle power for as long |\n")
	head(rateCSV)
	b.WriteString("| | Of points at a rate ([rates.md](rates.md)); the other rows are empty. |\n")
	tags(t, &b, "", "", Rate{})
	b.WriteString("| `rate_clock_NAME_before_Hz`, `rate_clock_NAME_after_Hz` | a clock before the first release and after the last run |\n")
	head(latencyCSV)
	tags(t, &b, "", "", Latency{})
	head(countersCSV)
	tags(t, &b, "", "", Counting{})
	b.WriteString("| each counter | by its name (`counter_NAME` where another column has that name), of one run |\n")
	head(kernelsCSV)
	tags(t, &b, "", "", KernelCounter{})
	head(stagesCSV)
	b.WriteString("| | A line a stage, behind the first columns of the CSV files. |\n")
	tags(t, &b, "", "", Stage{})
	head("The columns of an exported table beside those")
	b.WriteString("| | `bench export --to csv`, `json` or `parquet` joins the files' columns, each once ([export.md](export.md)); these come last, with `_2` after the name of one that is taken. |\n")
	tags(t, &b, "", "", Origin{})
	head("The columns of a long table")
	b.WriteString("| | `bench export --long` has a row for each value of a point: the first columns of the CSV files, those of an exported table, and these. |\n")
	tags(t, &b, "", "", LongColumns{})
	head(samplesCSV)
	tags(t, &b, "", "", Sample{})
	head(powerSamplesCSV)
	tags(t, &b, "", "", PowerSample{})
	return b.Bytes()
}

func TestColumnsDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "csv.md")
	want := columnsDocument(t)
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code says: make references", path)
	}
	for _, column := range fixedColumns() {
		if !strings.HasPrefix(column, hotPrefix) && !bytes.Contains(want, []byte("`"+column+"`")) {
			t.Errorf("column %s is in no table", column)
		}
	}
}
