package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// platform is an emulated one that runs in this process, on loopback.
type platform struct {
	emulator *emulator.Emulator
	server   *http.Server
	address  string
	world    emulator.World
}

func startPlatform(config emulator.Config) (*platform, error) {
	emulated, err := emulator.New(config)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &platform{
		emulator: emulated, server: &http.Server{Handler: emulated, ReadHeaderTimeout: 10 * time.Second},
		address: "http://" + listener.Addr().String(), world: emulated.FirstWorld(),
	}
	go func() { _ = p.server.Serve(listener) }() // It ends when the server is closed.
	return p, nil
}

func (p *platform) close() error { return errors.Join(p.server.Close(), p.emulator.Close()) }

// variables point the provider at the platform.
func (p *platform) variables() map[string]string {
	return map[string]string{
		"NEON_BASE_URL": p.address, "NEON_CLAIM_BASE_URL": p.address, "NEON_API_KEY": p.world.APIKey, "NEON_ORG_ID": p.world.OrgID,
	}
}

// refusalError is an answer that isn't a success.
type refusalError struct {
	request string
	status  int
	answer  string
}

// Error says what was refused, and how.
func (e *refusalError) Error() string {
	return fmt.Sprintf("%s: status %d: %s", e.request, e.status, e.answer)
}

// call sends a request to one of the APIs or to the control path, past the
// provider and its client.
func (p *platform) call(ctx context.Context, method, path string, send, receive any) error {
	body, err := json.Marshal(send)
	if err != nil {
		return err
	}
	if send == nil {
		body = nil
	}
	request, err := http.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+p.world.APIKey)
	if send != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return &refusalError{method + " " + path, response.StatusCode, string(answer)}
	}
	if receive == nil {
		return nil
	}
	return json.Unmarshal(answer, receive)
}

// counted tells how many requests both APIs get while something is done.
func (p *platform) counted(ctx context.Context, do func() error) (int, error) {
	if err := p.call(ctx, http.MethodDelete, "/_emulator/requests", nil, nil); err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	seen, err := p.seen(ctx)
	return seen.Total, err
}

// refused is how many of the counted requests were refused for the rate limits.
func (p *platform) refused(ctx context.Context) (int, error) {
	seen, err := p.seen(ctx)
	return seen.ByStatus["429"], err
}

type requestsSeen struct {
	Total    int            `json:"total"`
	ByStatus map[string]int `json:"by_status"`
}

func (p *platform) seen(ctx context.Context) (seen requestsSeen, err error) {
	err = p.call(ctx, http.MethodGet, "/_emulator/requests", nil, &seen)
	return seen, err
}

// sizedProject is a project that the control path made at once.
type sizedProject struct {
	Project struct {
		ID string `json:"id"`
	} `json:"project"`
	DefaultBranchID string   `json:"default_branch_id"`
	ProjectIDs      []string `json:"project_ids"`
	BranchIDs       []string `json:"branch_ids"`
	EndpointIDs     []string `json:"endpoint_ids"`
}

func (p *platform) makeProjects(ctx context.Context, count, branches, endpoints int) (sizedProject, error) {
	var made sizedProject
	err := p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]any{
		"name": "bench", "count": count, "branches": branches, "endpoints_per_branch": endpoints,
	}, &made)
	return made, err
}
