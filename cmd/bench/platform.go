package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// platform is an emulated one that runs in this process, on loopback, until the end.
type platform struct {
	emulator *emulator.Emulator
	address  string
	world    emulator.World
	// headers go with every call.
	headers http.Header
}

func (b *bench) startPlatform(config emulator.Config) (*platform, error) {
	emulated, err := emulator.New(config)
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(emulated)
	b.cleanup = append(b.cleanup, func() error {
		server.Close()
		return emulated.Close()
	})
	world := emulated.FirstWorld()
	headers := http.Header{"Authorization": {"Bearer " + world.APIKey}, "Content-Type": {"application/json"}}
	return &platform{emulator: emulated, address: server.URL, world: world, headers: headers}, nil
}

// call sends a request to one of the APIs or to the control path, past the
// provider and its client.
func (p *platform) call(ctx context.Context, method, path string, send, receive any) error {
	var body []byte
	if send != nil {
		var err error
		if body, err = json.Marshal(send); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = p.headers.Clone()
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
		return &client.Error{Method: method, Path: path, StatusCode: response.StatusCode, Message: string(answer)}
	}
	if receive == nil {
		return nil
	}
	return json.Unmarshal(answer, receive)
}

// observed is how long something took, the CPU of terraform and its provider, and the requests that both APIs got meanwhile.
type observed struct {
	seconds, cpu float64
	Total        int            `json:"total"`
	ByStatus     map[string]int `json:"by_status"`
	ByRoute      map[string]int `json:"by_route"`
}

// observe does something with terraform in a workspace.
func (p *platform) observe(ctx context.Context, w *workspace, do func() error) (seen observed, err error) {
	if err := p.call(ctx, http.MethodDelete, "/_emulator/requests", nil, nil); err != nil {
		return seen, err
	}
	started, before := time.Now(), w.cpu
	if err := do(); err != nil {
		return seen, err
	}
	seen.seconds, seen.cpu = time.Since(started).Seconds(), (w.cpu - before).Seconds()
	err = p.call(ctx, http.MethodGet, "/_emulator/requests", nil, &seen)
	return seen, err
}
