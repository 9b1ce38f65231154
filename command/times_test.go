package command_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
)

// seconds are those of a point: good takes ms, slower 5 % more, and of tuned
// A = 3 and B = 2 are the fastest.
func seconds(p *plan.Point) float64 {
	time := float64(p.Params.Int("ms")) * 1e-3
	switch p.Version {
	case "slower":
		return 1.05 * time
	case "tuned":
		a, b := p.Tunables.Int("A")-3, p.Tunables.Int("B")-2
		return 0.1 * float64(1+a*a+b*b) * time
	}
	return time
}

// standIn starts a worker by the command, hands on to it what it is asked, and
// its answers with the seconds replaced. It returns the worker's exit status.
func standIn(command []string) (status int, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), asProgram+"=faulty")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	replies, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	w.Close()
	asked := make(chan []byte, 1) // the request that is being answered
	go func() {
		defer in.Close()
		for lines := bufio.NewReader(os.Stdin); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			asked <- line
			if _, err := in.Write(line); err != nil {
				return
			}
		}
	}()
	out, rng := os.NewFile(3, "replies"), rand.New(rand.NewPCG(1, 2))
	for lines := bufio.NewReader(replies); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, err
		}
		var reply map[string]any
		if err := json.Unmarshal(line, &reply); err != nil {
			return 0, err
		}
		if reply["phase"] == nil {
			if line, err = replaced(reply, <-asked, rng); err != nil {
				return 0, err
			}
		}
		if _, err := out.Write(line); err != nil {
			return 0, err
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// replaced is the reply with made-up times in place of those measured.
func replaced(reply map[string]any, to []byte, rng *rand.Rand) ([]byte, error) {
	var request struct {
		Point *plan.Point
		Pair  *engine.Pair
	}
	if err := json.Unmarshal(to, &request); err != nil {
		return nil, err
	}
	replace := func(samples any, p *plan.Point) error {
		list, _ := samples.([]any)
		if len(list) == 0 {
			return fmt.Errorf("no samples in the reply %v", reply)
		}
		for i := range list {
			list[i] = seconds(p) * (1 + 0.01*rng.NormFloat64())
		}
		return nil
	}
	if result, _ := reply["result"].(map[string]any); result != nil && result["hot"] != nil {
		hot := result["hot"].(map[string]any)
		if err := replace(hot["samples"], request.Point); err != nil {
			return nil, err
		}
		delete(hot, "level_change") // of the measured ones
	}
	if turns, _ := reply["turns"].(map[string]any); turns != nil {
		for kind, other := range map[string]*plan.Point{"control": &request.Pair.A, "treatment": &request.Pair.B} {
			alternation, _ := turns[kind].(map[string]any)
			if alternation == nil {
				continue
			}
			if err := errors.Join(replace(alternation["a_s"], &request.Pair.A), replace(alternation["b_s"], other)); err != nil {
				return nil, err
			}
		}
	}
	line, err := json.Marshal(reply)
	return append(line, '\n'), err
}
