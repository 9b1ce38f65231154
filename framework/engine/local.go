package engine

import "io"

// local starts a worker in a goroutine of this process. What it does is not
// contained: a crash ends the program, and what hangs is left behind. orphaned
// is told when it is.
func local(plugins Plugins, orphaned func()) *process {
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	var bad error // valid once the channel is closed
	ended := make(chan struct{})
	end := func() { out.Close() }
	go func() {
		defer close(ended)
		defer end()
		bad = Serve(in, out, plugins, func() { orphaned(); end() })
	}()
	return follow(requests, replies, &tail{}, end, func() error {
		select {
		case <-ended:
			return bad
		default: // it was given up
			return nil
		}
	})
}
