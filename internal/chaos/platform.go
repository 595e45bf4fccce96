// Package chaos attacks the provider: it makes, changes and destroys resources on
// an emulated platform whose every answer may be lost, refused or late, kills runs
// at random moments, and then accounts for each object that is left.
package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// operationDuration is short, so that a thousand cycles take minutes.
const operationDuration = 20 * time.Millisecond

// platform is an emulated platform on a port of its own.
type platform struct {
	emulator.World

	baseURL string
	server  *http.Server
	client  *http.Client
	// requests counts what has reached it, control path included.
	requests atomic.Int64
	// arrived, where it is set, is told the number of each request.
	arrived atomic.Pointer[func(number int64)]
}

func startPlatform(ctx context.Context, config emulator.Config) (*platform, error) {
	emulated, err := emulator.New(config)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &platform{World: emulated.FirstWorld(), baseURL: "http://" + listener.Addr().String(), client: &http.Client{}}
	p.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			number := p.requests.Add(1)
			if tell := p.arrived.Load(); tell != nil {
				(*tell)(number)
			}
			emulated.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: time.Minute,
	}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

func (p *platform) close() error { return p.server.Close() }

// call sends a request to the control path, or with the first key to the API.
func (p *platform) call(ctx context.Context, method, path string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, p.baseURL+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.APIKey)
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// makeProjects gives the ids of new projects.
func (p *platform) makeProjects(ctx context.Context, count int) ([]string, error) {
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	err := p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]any{"name": "chaos", "count": count}, &made)
	if err == nil && len(made.ProjectIDs) != count {
		err = errors.New("the emulator made fewer projects than it was asked for")
	}
	return made.ProjectIDs, err
}
