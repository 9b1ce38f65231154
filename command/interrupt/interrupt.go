// Package interrupt says what ends a verb: a signal, at what it waits for, or nobody who
// reads what it prints.
package interrupt

import (
	"context"

	"github.com/spf13/cobra"

	"bench/framework/engine"
)

// Await is what read returns; once ctx ends it waits no longer, and the error is
// engine.ErrInterrupted: a pipe may have no writer, or one that never closes it.
func Await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	if ctx.Err() != nil {
		return *new(T), engine.ErrInterrupted
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		return *new(T), engine.ErrInterrupted
	case r := <-done:
		return r.value, r.err
	}
}

// Around runs something in a context that it chooses.
type Around func(ctx context.Context, run func(context.Context) error) error

// Within has a verb run inside around.
func Within(verb *cobra.Command, around Around) *cobra.Command {
	run := verb.RunE
	verb.RunE = func(c *cobra.Command, args []string) error {
		return around(c.Context(), func(ctx context.Context) error {
			c.SetContext(ctx)
			return run(c, args)
		})
	}
	return verb
}

// AtOnce has a signal end a verb at whatever it reads or computes: it measures
// nothing, and has nothing to put right. The error is then engine.ErrInterrupted.
func AtOnce(ctx context.Context, run func(context.Context) error) error {
	_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, run(context.WithoutCancel(ctx)) })
	return err
}

// WithReader has a verb that measures end, as by a signal, when unread says that nobody
// reads what it prints any more. Other verbs go on: their status, which may be a verdict,
// is not to depend on when head and such end.
func WithReader(unread <-chan struct{}) Around {
	return func(ctx context.Context, run func(context.Context) error) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			select {
			case <-unread:
				stop()
			case <-ctx.Done():
			}
		}()
		return run(ctx)
	}
}
