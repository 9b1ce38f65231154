package fleet

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"example.org/bench/framework/engine"
)

// OnBoard adds to bench board the verbs that Run runs on a board, which are not for people. fail makes an error a failure of
// the program.
func OnBoard(board *cobra.Command, fail func(error) error) *cobra.Command {
	add := func(use string, run func(cmd *cobra.Command, dir string) error) *cobra.Command {
		c := &cobra.Command{Use: use + " DIR", Hidden: true, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			return fail(run(cmd, args[0]))
		}}
		board.AddCommand(c)
		return c
	}
	add("start", func(_ *cobra.Command, dir string) error {
		words, err := engine.ThisProgram()
		if err != nil {
			return err
		}
		return Start(dir, append(words, board.Name()))
	})
	add("serve", func(cmd *cobra.Command, dir string) error {
		words, err := engine.ThisProgram()
		if err != nil {
			return err
		}
		return Serve(cmd.Context(), dir, words)
	})
	add("stop", func(_ *cobra.Command, dir string) error { return Stop(dir) })
	var from string
	var once bool
	follow := add("follow", func(cmd *cobra.Command, dir string) error {
		var offsets map[string]int64
		if err := json.Unmarshal([]byte(from), &offsets); err != nil {
			return err
		}
		return Follow(cmd.Context(), dir, offsets, !once, os.Stdout)
	})
	follow.Flags().StringVar(&from, "from", "{}", "offsets of the journals by their runs")
	follow.Flags().BoolVar(&once, "once", false, "do not wait")
	return board
}
