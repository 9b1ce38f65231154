// Package interrupt ends verbs: on a signal, even while they wait, and when nobody reads their output.
package interrupt

import (
	"context"

	"github.com/spf13/cobra"

	"example.org/bench/framework/engine"
)

// Await returns what read returns. Once ctx ends it stops waiting, and the error is
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

// EndsAtOnce lets a signal end a verb at any point of reading or computing. Such a verb measures nothing and
// has nothing to restore. The error is then engine.ErrInterrupted.
func EndsAtOnce(verb *cobra.Command) *cobra.Command {
	run := verb.RunE
	verb.RunE = func(c *cobra.Command, args []string) error {
		return AtOnce(c.Context(), func(ctx context.Context) error {
			c.SetContext(ctx)
			return run(c, args)
		})
	}
	return verb
}

// AtOnce runs a function that a signal ends at once, as EndsAtOnce says.
func AtOnce(ctx context.Context, run func(context.Context) error) error {
	_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, run(context.WithoutCancel(ctx)) })
	return err
}

// EndsWithReader makes a verb that measures end, as by a signal, when unread says that nobody reads its
// output any more. Other verbs continue: their status, which may be a verdict, must not depend on when
// head and the like end.
func EndsWithReader(verb *cobra.Command, unread <-chan struct{}) *cobra.Command {
	run := verb.RunE
	verb.RunE = func(c *cobra.Command, args []string) error {
		ctx, end := context.WithCancel(c.Context())
		defer end() // nothing waits for unread any more, which verbs of one process share
		c.SetContext(ctx)
		go func() {
			select {
			case <-unread:
				end()
			case <-ctx.Done():
			}
		}()
		return run(c, args)
	}
	return verb
}
