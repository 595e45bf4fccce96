package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// otherPause is how long the other client waits where its work is refused: little, as
// the lock goes to whoever asks first.
const otherPause = 3 * time.Millisecond

// otherClient works on the same project beside Terraform: it restarts an endpoint as
// soon as the platform lets it, and then leaves the project alone for as long as that
// took. Where Terraform uses the time in between, each has the lock for half of it,
// and never both at once.
type otherClient struct {
	held     time.Duration
	requests int
}

// beside lets the client work while something is done. Where there is no client, that is all.
func (o *otherClient) beside(ctx context.Context, p *platform, do func() error) error {
	if o == nil {
		return do()
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- o.work(working, p) }()
	err := do()
	stop()
	return errors.Join(err, <-ended)
}

func (o *otherClient) work(ctx context.Context, p *platform) error {
	path := "/api/v2/projects/" + p.world.ProjectID + "/endpoints/" + p.world.EndpointID + "/restart"
	for ctx.Err() == nil {
		var restart struct {
			Operations []struct{} `json:"operations"`
		}
		err := p.call(ctx, http.MethodPost, path, nil, &restart)
		o.requests++
		var refusal *client.Error
		switch {
		case err == nil:
			holding := time.Duration(len(restart.Operations)) * serialOperation
			o.held += rest(ctx, holding)
			rest(ctx, holding)
		case errors.As(err, &refusal) && refusal.StatusCode == http.StatusLocked, errors.Is(err, context.Canceled):
			rest(ctx, otherPause)
		default:
			return err
		}
	}
	return nil
}

// rest waits, and tells how much of the time there was before the context ended.
func rest(ctx context.Context, duration time.Duration) time.Duration {
	started := time.Now()
	select {
	case <-time.After(duration):
		return duration
	case <-ctx.Done():
		return time.Since(started)
	}
}
