package main

import (
	"context"
	"errors"
	"net/http"
	"time"
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

// start lets the client work until it is stopped. Where there is none, there is
// nothing to do.
func (o *otherClient) start(ctx context.Context, p *platform, project sizedProject) (stop func() error) {
	if o == nil {
		return func() error { return nil }
	}
	working, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- o.work(working, p, project) }()
	return func() error {
		cancel()
		return <-ended
	}
}

func (o *otherClient) work(ctx context.Context, p *platform, project sizedProject) error {
	var answer struct {
		Endpoints []struct {
			ID string `json:"id"`
		} `json:"endpoints"`
	}
	path := "/api/v2/projects/" + project.Project.ID + "/endpoints"
	if err := p.call(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return err
	}
	o.requests++
	for ctx.Err() == nil {
		var restart struct {
			Operations []struct{} `json:"operations"`
		}
		err := p.call(ctx, http.MethodPost, path+"/"+answer.Endpoints[0].ID+"/restart", nil, &restart)
		o.requests++
		pause := otherPause
		var refusal *refusalError
		switch {
		case err == nil:
			holding := time.Duration(len(restart.Operations)) * serialOperation
			o.held += o.hold(ctx, holding)
			pause = holding
		case errors.As(err, &refusal) && refusal.status == http.StatusLocked, errors.Is(err, context.Canceled):
		default:
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return nil
}

// hold waits for the end of the client's work, and tells how much of it there was
// before the context ended.
func (o *otherClient) hold(ctx context.Context, duration time.Duration) time.Duration {
	started := time.Now()
	select {
	case <-time.After(duration):
		return duration
	case <-ctx.Done():
		return time.Since(started)
	}
}
