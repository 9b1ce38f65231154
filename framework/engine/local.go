package engine

import (
	"io"
	"sync"
)

// local starts a worker in a goroutine of this process. The worker is not contained: its crash ends the
// program, and its hang stays behind. orphaned is called when the worker becomes an orphan.
func local(plugins Plugins, orphaned func()) *process {
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	ended, givenUp := make(chan error, 1), make(chan struct{})
	end := sync.OnceFunc(func() {
		out.Close()
		close(givenUp)
	})
	go func() {
		ended <- Serve(in, out, plugins, func() { orphaned(); end() })
		out.Close()
	}()
	p := &process{in: requests, out: replies, tail: &tail{}, end: end, wait: func() error {
		select {
		case bad := <-ended:
			return bad
		case <-givenUp:
			return nil
		}
	}}
	return p.follow()
}
