package fleet

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
)

// queued is a task in Slurm's queue.
type queued struct {
	id    string // as scontrol takes it
	state string
	// held is whether Slurm does not start the task until somebody releases it; failed,
	// whether that is because a start failed, which nobody asked for.
	held, failed bool
}

// queued returns the tasks in Slurm's queue.
func (a *Array) queued(ctx context.Context) (map[int]queued, error) {
	out, _, err := bounded.Output(exec.CommandContext(ctx, "squeue", "--noheader", "--array", "--format=%F %K %T %r"), bounded.MostDocument)
	if err != nil {
		return nil, fmt.Errorf("ask squeue for the tasks: %w", err)
	}
	return a.parseQueue(string(out)), nil
}

// parseQueue reads squeue's lines: number, array index and state of a task, and why it waits.
func (a *Array) parseQueue(text string) map[int]queued {
	tasks := map[int]queued{}
	for line := range strings.Lines(text) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(words) < 3 {
			continue
		}
		index, err := strconv.Atoi(words[1])
		for _, s := range a.Scripts {
			if err == nil && s.Job == words[0] && index >= 0 && index < len(s.Tasks) {
				q := queued{id: words[0] + "_" + words[1], state: terminal.OneLine(strings.ToLower(words[2]))}
				if why := strings.Join(words[3:], ""); q.state == "pending" {
					q.failed = strings.EqualFold(why, "launch failed requeued held")
					q.held = q.failed || strings.HasPrefix(why, "JobHeld")
				}
				tasks[s.Tasks[index]] = q
			}
		}
	}
	return tasks
}

// Report returns lines on the run's progress. complete reports whether everything is measured.
func (a *Array) Report(ctx context.Context) (lines []string, complete bool) {
	states, err := a.queued(ctx)
	if err != nil {
		lines = append(lines, err.Error())
	}
	done, results := 0, 0
	counts := map[string]int{}
	for n := range a.Tasks {
		have, total := a.progress(n)
		results += have
		switch {
		case total > 0 && have >= total:
			done++
		case states[n].held:
			counts["held"]++
		case states[n].state != "":
			counts[states[n].state]++
		default:
			counts["not in the queue"]++
		}
	}
	text := fmt.Sprintf("%d of %s complete, %s", done, terminal.Count(len(a.Tasks), "task"), terminal.Count(results, "result"))
	for _, state := range slices.Sorted(maps.Keys(counts)) {
		text += fmt.Sprintf("; %d %s", counts[state], state)
	}
	return append(lines, text), done == len(a.Tasks)
}
