package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"bench/framework"
)

// BesideVerb is the argument of this program's process that loads the machine.
const BesideVerb = "beside"

// startBeside starts a process that loads the machine as a value of the parameter says,
// and waits until it does. end ends it, and says what it read of memory per second; 0
// where that is not its load. It ends with the calling thread.
func startBeside(text string) (end func() (bandwidth float64, err error), err error) {
	cmd := exec.Command("/proc/self/exe", BesideVerb, text)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
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
	lines := bufio.NewReader(out)
	end = func() (bandwidth float64, err error) {
		in.Close()
		said, readErr := lines.ReadString('\n')
		if err := cmd.Wait(); err != nil {
			return 0, fmt.Errorf("load beside: %w", err)
		}
		if readErr != nil {
			return 0, fmt.Errorf("load beside: %w", readErr)
		}
		_, err = fmt.Sscan(said, &bandwidth)
		return bandwidth, err
	}
	if _, err := lines.ReadString('\n'); err != nil { // that it runs
		_, ended := end()
		return nil, errors.Join(fmt.Errorf("load beside: %w", err), ended)
	}
	return end, nil
}

// ServeBeside is the process that startBeside starts: it loads the machine until in
// ends.
func ServeBeside(in io.Reader, out io.Writer, text string) error {
	b, err := framework.ParseBeside(text)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(b.CPU + 2)
	for range b.CPU {
		go func() {
			for x := uint64(1); ; {
				for range 1 << 20 {
					x = x*6364136223846793005 + 1442695040888963407
				}
				runtime.KeepAlive(x)
			}
		}()
	}
	read := make(chan float64)
	quit := make(chan struct{})
	if b.Bandwidth > 0 {
		buffer := make([]uint64, streamBytes/8)
		for i := range buffer {
			buffer[i] = uint64(i) // pages that nothing wrote are all one
		}
		go func() { read <- stream(buffer, b.Bandwidth, quit) }()
	}
	if _, err := fmt.Fprintln(out, "running"); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	close(quit)
	bandwidth := 0.0
	if b.Bandwidth > 0 {
		bandwidth = <-read
	}
	_, err = fmt.Fprintln(out, bandwidth)
	return err
}

const (
	// streamBytes is beyond any cache of a board; a larger cache keeps what is read, and
	// the bandwidth is then the cache's.
	streamBytes = 256 << 20
	// streamChunk is read between two looks at the clock.
	streamChunk = 64 << 10
)

// stream reads a buffer at so many bytes per second until quit is closed, and returns
// how many it was.
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

// beside starts what a point asks for; end ends it and says in notes what it did.
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
		bandwidth, err := stop()
		if err == nil && b.Bandwidth > 0 {
			note("beside: %.4g of %.4g bytes per second were read", bandwidth, b.Bandwidth)
		}
		return err
	}, nil
}
