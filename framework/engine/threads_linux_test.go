package engine

import (
	"net"
	"net/rpc"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// TestThreadsArePlaced: a keeper places a thread of its worker, and none of another process.
func TestThreadsArePlaced(t *testing.T) {
	own, other := os.Getpid(), os.Getppid()
	for process, placed := range map[int]bool{own: true, other: false} {
		a, b := net.Pipe()
		server := rpc.NewServer()
		if err := server.RegisterName(aboutThreads, &Threads{process}); err != nil {
			t.Fatal(err)
		}
		go server.ServeConn(a)
		worker := &confined{rpc.NewClient(b)}
		all := machine.AllowedCPUs()
		done := make(chan error)
		var now linux.CPUSet
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with this function
			err := worker.place(unix.Gettid(), all[len(all)-1:].Set())
			if linux.SchedGetaffinity(0, &now) != nil {
				now = linux.CPUSet{}
			}
			done <- err
		}()
		err := <-done
		want := len(all)
		if placed {
			want = 1
		}
		if (err == nil) != placed || now.Count() != want || !now.IsSet(all[len(all)-1]) {
			t.Errorf("of process %d (this is %d): %v; the thread has %d of %d CPUs", process, own, err, now.Count(), len(all))
		}
		worker.Close()
	}
}
