package command

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"example.org/bench/command/fleet"
	"example.org/bench/framework/engine"
)

// boardCommand is the verb that bench fleet runs on a board; it is not for people.
func (a *app) boardCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "board", Hidden: true}
	add := func(use string, run func(cmd *cobra.Command, dir string) error) *cobra.Command {
		c := &cobra.Command{Use: use + " DIR", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			return failure(run(cmd, args[0]))
		}}
		cmd.AddCommand(c)
		return c
	}
	add("start", func(_ *cobra.Command, dir string) error {
		words, err := engine.ThisProgram()
		if err != nil {
			return err
		}
		return fleet.Start(dir, append(words, "board"))
	})
	add("serve", func(cmd *cobra.Command, dir string) error {
		words, err := engine.ThisProgram()
		if err != nil {
			return err
		}
		return fleet.Serve(cmd.Context(), dir, words)
	})
	add("stop", func(_ *cobra.Command, dir string) error { return fleet.Stop(dir) })
	var from string
	var once bool
	follow := add("follow", func(cmd *cobra.Command, dir string) error {
		var offsets map[string]int64
		if err := json.Unmarshal([]byte(from), &offsets); err != nil {
			return err
		}
		return fleet.Follow(cmd.Context(), dir, offsets, !once, os.Stdout)
	})
	follow.Flags().StringVar(&from, "from", "{}", "offsets of the journals by their runs")
	follow.Flags().BoolVar(&once, "once", false, "do not wait")
	return cmd
}
