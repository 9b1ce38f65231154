package interrupt

import (
	"context"
	"errors"
	"testing"

	"github.com/spf13/cobra"

	"example.org/bench/framework/engine"
)

// What blocks is left behind when the context ends, and what is done is returned.
func TestAwait(t *testing.T) {
	failed := errors.New("failed")
	if got, err := Await(t.Context(), func() (int, error) { return 7, failed }); got != 7 || err != failed {
		t.Errorf("%d, %v", got, err)
	}
	ctx, end := context.WithCancel(t.Context())
	blocked := make(chan struct{})
	defer close(blocked)
	if _, err := Await(ctx, func() (int, error) { end(); <-blocked; return 7, nil }); !errors.Is(err, engine.ErrInterrupted) {
		t.Error(err)
	}
}

// A verb at once ends with the signal, and its own context does not: nothing that it calls
// is half done.
func TestAtOnce(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	blocked := make(chan struct{})
	defer close(blocked)
	inside := make(chan error, 1)
	verb := EndsAtOnce(&cobra.Command{RunE: func(c *cobra.Command, _ []string) error {
		end()
		inside <- c.Context().Err()
		<-blocked
		return nil
	}})
	verb.SetArgs(nil)
	if err := verb.ExecuteContext(ctx); !errors.Is(err, engine.ErrInterrupted) {
		t.Error(err)
	}
	if err := <-inside; err != nil {
		t.Errorf("inside: %v", err)
	}
}

// A verb with a reader ends when there is none any more.
func TestEndsWithReader(t *testing.T) {
	unread := make(chan struct{}, 1)
	verb := EndsWithReader(&cobra.Command{RunE: func(c *cobra.Command, _ []string) error {
		if c.Context().Err() != nil {
			t.Error("ended while it was read")
		}
		unread <- struct{}{}
		<-c.Context().Done()
		return c.Context().Err()
	}}, unread)
	verb.SetArgs(nil)
	if err := verb.ExecuteContext(t.Context()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A verb that has ended takes no word that nobody reads: it is for one that still runs in the process.
func TestEndedVerbsLeaveTheReader(t *testing.T) {
	unread := make(chan struct{}, 1)
	verb := func(run func(ctx context.Context) error) error {
		c := EndsWithReader(&cobra.Command{RunE: func(c *cobra.Command, _ []string) error { return run(c.Context()) }}, unread)
		c.SetArgs(nil)
		return c.ExecuteContext(t.Context())
	}
	var ended context.Context
	if err := verb(func(ctx context.Context) error { ended = ctx; return nil }); err != nil || ended.Err() == nil {
		t.Fatalf("%v; a verb's context is open after it", err)
	}
	err := verb(func(ctx context.Context) error {
		unread <- struct{}{}
		<-ctx.Done()
		return context.Cause(ctx)
	})
	if !errors.Is(err, context.Canceled) || t.Context().Err() != nil {
		t.Errorf("%v", err)
	}
}
