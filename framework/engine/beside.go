package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal"
)

// BesideVerb is the argument that makes a process of this program load the machine.
const BesideVerb = "beside"

// besideRuns is the line by which that process reports that it runs. Any other line is the reason
// why it does not.
const besideRuns = "running"

// reached is the load that was reached; 0 where there was none.
type reached struct {
	Bandwidth float64 `json:"bandwidth_Bps"` // bytes that the CPU read per second
	GPU       float64 `json:"gpu"`           // share of the time, or bytes per second, of the GPU
}

// startBeside starts a process that loads the machine as a value of BesideParam says, and waits
// until it does. end ends the process and returns the load that it reached. The process ends with
// the calling thread.
func startBeside(text string) (end func() (reached, error), err error) {
	cmd := exec.Command("/proc/self/exe", BesideVerb, text)
	linux.Bind(cmd, linux.OwnGroup|linux.KilledWithCaller)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("load beside: %w", err)
	}
	lines := bounded.NewLines(out, "load beside", bounded.MostLine)
	end = func() (r reached, err error) {
		in.Close()
		said, readErr := lines.Read()
		if err := errors.Join(cmd.Wait(), readErr); err != nil {
			return r, fmt.Errorf("load beside: %w", err)
		}
		if bounded.Unmarshal(said, &r) != nil {
			return r, fmt.Errorf("load beside: %s", terminal.OneLine(strings.TrimSpace(string(said))))
		}
		return r, nil
	}
	line, err := lines.Read()
	said := terminal.OneLine(strings.TrimSpace(string(line)))
	if said == besideRuns {
		return end, nil
	}
	in.Close()
	if ended := cmd.Wait(); said == "" {
		return nil, fmt.Errorf("load beside: %w", errors.Join(err, ended))
	}
	return nil, fmt.Errorf("load beside: %s", said)
}

// ServeBeside is the process that startBeside starts. It loads the machine until in ends.
func ServeBeside(in io.Reader, out io.Writer, text string) error {
	b, err := framework.ParseBeside(text)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(b.CPU + 3)
	quit := make(chan struct{})
	var waits []func(*reached) error
	if b.OnGPU() {
		wait, err := loadGPU(b, quit)
		if err != nil {
			_, told := fmt.Fprintln(out, oneLine(err))
			return told
		}
		waits = append(waits, wait)
	}
	for range b.CPU {
		go func() {
			for x := uint64(1); ; runtime.KeepAlive(x) {
				select {
				case <-quit:
					return
				default:
				}
				for range 1 << 20 {
					x = x*6364136223846793005 + 1442695040888963407
				}
			}
		}()
	}
	if b.Bandwidth > 0 {
		buffer := make([]uint64, streamBytes/8)
		for i := range buffer {
			buffer[i] = uint64(i) // unwritten pages would all be the same one
		}
		read := make(chan float64)
		go func() { read <- stream(buffer, b.Bandwidth, quit) }()
		waits = append(waits, func(r *reached) error { r.Bandwidth = <-read; return nil })
	}
	if _, err := fmt.Fprintln(out, besideRuns); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	close(quit)
	var r reached
	for _, wait := range waits {
		if err := wait(&r); err != nil {
			_, told := fmt.Fprintln(out, oneLine(err))
			return told
		}
	}
	return json.NewEncoder(out).Encode(r)
}

// besideGPU opens the GPU to load: the first.
var besideGPU = func() (*driver.GPU, error) { return driver.Open(0) }

// loadGPU keeps the GPU at work, from its own thread, until quit is closed. wait waits for the end.
func loadGPU(b framework.Beside, quit <-chan struct{}) (wait func(*reached) error, err error) {
	type result struct {
		was float64
		err error
	}
	opened, ended := make(chan error), make(chan result)
	go func() {
		runtime.LockOSThread()
		gpu, err := besideGPU()
		if err != nil {
			opened <- err
			return
		}
		defer gpu.Close()
		load, err := openGPULoad(gpu, b)
		if opened <- err; err != nil {
			return
		}
		was, err := load.keep(quit)
		ended <- result{was, errors.Join(err, load.PostRun(), gpu.Close())} // nothing is held once the end is reported
	}()
	if err := <-opened; err != nil {
		return nil, err
	}
	return func(r *reached) error {
		x := <-ended
		r.GPU = x.was
		return x.err
	}, nil
}

const (
	// streamBytes is larger than any cache of a board. A larger cache holds what is read, and the
	// bandwidth is then the cache's.
	streamBytes = 256 << 20
	// streamChunk is how much is read between two looks at the clock.
	streamChunk = 64 << 10
)

// stream reads a buffer at bandwidth, in bytes per second, until quit is closed. It returns the
// bandwidth that it reached.
func stream(buffer []uint64, bandwidth float64, quit <-chan struct{}) float64 {
	sum, at, done := uint64(0), 0, 0.0
	begin := time.Now()
	for {
		select {
		case <-quit:
			runtime.KeepAlive(sum)
			return done / time.Since(begin).Seconds()
		default:
		}
		for _, x := range buffer[at : at+streamChunk/8] {
			sum += x
		}
		at = (at + streamChunk/8) % len(buffer)
		done += streamChunk
		if ahead := done/bandwidth - time.Since(begin).Seconds(); ahead > 0 {
			time.Sleep(time.Duration(ahead * float64(time.Second)))
		}
	}
}

// beside starts the load that a point asks for. end ends it and notes what it reached.
func (w *worker) beside(text string, note func(format string, args ...any)) (end func() error, err error) {
	b, err := framework.ParseBeside(text)
	if err != nil || b == (framework.Beside{}) {
		return func() error { return nil }, err
	}
	stop, err := startBeside(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	return func() error {
		was, err := stop()
		if err != nil {
			return err
		}
		if b.Bandwidth > 0 {
			note("beside: %.4g of %.4g bytes per second were read", was.Bandwidth, b.Bandwidth)
		}
		if b.GPU > 0 {
			note("beside: the GPU computed %.3g of the time, of %.3g", was.GPU, b.GPU)
		}
		if b.GPUBandwidth > 0 {
			note("beside: %.4g of %.4g bytes per second were copied by the GPU", was.GPU, b.GPUBandwidth)
		}
		return nil
	}, nil
}
