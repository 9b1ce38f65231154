package linux

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// A limit leaves out the time in which this process is stopped; without a stop it is the clock's.
func TestWithRunningTime(t *testing.T) {
	begin := time.Now()
	ctx, cancel := WithRunningTime(t.Context(), 200*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if took := time.Since(begin); took < 200*time.Millisecond {
		t.Errorf("a limit of 200 ms ends after %v", took)
	}

	ctx, cancel = WithRunningTime(t.Context(), 2*time.Second)
	defer cancel()
	stop := exec.Command("sh", "-c", `kill -STOP "$0"; sleep 3; kill -CONT "$0"`, strconv.Itoa(os.Getpid()))
	if err := stop.Run(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * mostLook) // for a look or two after the stop
	if ctx.Err() != nil {
		t.Error("a limit of 2 s has ended while this process was stopped for 3 s")
	}
	<-ctx.Done()

	ctx, cancel = WithRunningTime(context.Background(), time.Hour)
	cancel()
	<-ctx.Done()
}
