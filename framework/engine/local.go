package engine

import (
	"io"
	"sync"
)

// local starts a worker in a goroutine of this process. It is not contained: a crash ends the
// program, and a hang stays behind. orphaned is called when it becomes an orphan.
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
