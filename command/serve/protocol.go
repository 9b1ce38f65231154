package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.org/bench/framework/record"
)

// toolAdder adds a method to a server as a tool.
type toolAdder func(s *mcp.Server, all *queue)

// of returns a method for both protocols; its schemas are those of the Go types.
func of[In, Out any](name, doc string, f func(context.Context, *turn, In) (Out, error)) method {
	return method{
		name: name, doc: doc,
		line: func(ctx context.Context, t *turn, params json.RawMessage) (any, error) {
			var in In
			if err := strictly(params, &in); err != nil {
				t.leave()
				return nil, err
			}
			return f(ctx, t, in)
		},
		tool: func(s *mcp.Server, all *queue) {
			mcp.AddTool(s, &mcp.Tool{Name: name, Description: doc}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
				out, err := f(ctx, all.take(), in)
				if err != nil {
					err = errors.New(oneLine(err))
				}
				return nil, out, err
			})
		},
	}
}

// Protocol serves the Model Context Protocol over in and out, until in or ctx ends.
func Protocol(ctx context.Context, b *Bench, in io.ReadCloser, out io.WriteCloser) error {
	defer b.warm()()
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Title: "bench: measure and judge kernels", Version: record.ThisTool().Version}, nil)
	var all queue
	for _, m := range methods(b) {
		m.tool(s, &all)
	}
	err := s.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// names lists the methods.
func names(b *Bench) string {
	var list []string
	for _, m := range methods(b) {
		list = append(list, m.name)
	}
	return strings.Join(list, ", ")
}

// oneLine returns an error's text on one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
