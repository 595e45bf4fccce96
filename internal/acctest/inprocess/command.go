package inprocess

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Knows reports whether a command of terraform can be run here with a configuration.
func Knows(text string, command []string) bool {
	_, err := parse(text)
	switch {
	case err != nil || len(command) == 0:
		return false
	case command[0] == "import":
		return len(command) == 3
	default:
		return slices.Equal(command, []string{"plan"}) || slices.Equal(command, []string{"apply", "-auto-approve"})
	}
}

// RunAll applies a configuration with an empty state, plans it and destroys everything, and calls ended after each.
func RunAll(ctx context.Context, start func() (tfprotov6.ProviderServer, error), text string, ended func()) error {
	w := newWorkspace(start)
	err := w.run(ctx, text, mode{refresh: true})
	ended()
	if err == nil {
		err = w.planNothing(ctx, text)
		ended()
	}
	err = errors.Join(err, w.run(ctx, text, mode{destroy: true, refresh: true}))
	ended()
	return err
}

// planNothing plans a configuration, which must change nothing.
func (w *workspace) planNothing(ctx context.Context, text string) error {
	c, err := parse(text)
	if err != nil {
		return err
	}
	p, err := w.plan(ctx, c, mode{refresh: true})
	if err == nil && !p.isEmpty() {
		err = fmt.Errorf("the plan isn't empty:\n%s", p)
	}
	return err
}

// RunCommand runs one command with an empty state, and returns its error. Rest destroys what it
// left, and does nothing where that is nothing.
func RunCommand(
	ctx context.Context, start func() (tfprotov6.ProviderServer, error), text string, command []string,
) (rest func() error, said error) {
	w := newWorkspace(start)
	destroy := func() error {
		if len(w.state) == 0 {
			return nil
		}
		return w.run(ctx, text, mode{destroy: true, refresh: true})
	}
	switch command[0] {
	case "import":
		said = w.importCommand(ctx, text, command[1], command[2])
	case "plan":
		c, err := parse(text)
		if err == nil {
			_, err = w.plan(ctx, c, mode{refresh: true})
		}
		said = err
	case "apply":
		said = w.run(ctx, text, mode{refresh: true})
	default:
		said = errors.New(command[0] + " is none of the commands known here")
	}
	return destroy, said
}
