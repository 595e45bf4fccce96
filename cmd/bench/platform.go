package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// platform is an emulated one that runs in this process, on loopback, until the end.
type platform struct {
	*emulator.Emulator

	address string
	world   emulator.World
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
	return &platform{emulated, server.URL, emulated.FirstWorld()}, nil
}

// client returns a client of the platform.
func (p *platform) client() (*client.Client, error) {
	return client.New(client.Config{BaseURL: p.address, APIKey: p.world.APIKey})
}

// call sends a request to one of the APIs or to the control path, past the provider and its client.
func (p *platform) call(ctx context.Context, method, path string, send, receive any) error {
	body, err := json.Marshal(send)
	if err != nil {
		return err
	}
	request := httptest.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(body))
	request.RemoteAddr = "127.0.0.1:1" // The control path is for this machine alone.
	request.Header = http.Header{"Authorization": {"Bearer " + p.world.APIKey}, "Content-Type": {"application/json"}}
	answer := httptest.NewRecorder()
	p.ServeHTTP(answer, request)
	switch {
	case answer.Code >= http.StatusMultipleChoices:
		return fmt.Errorf("%s %s: %d %s", method, path, answer.Code, answer.Body)
	case receive == nil:
		return nil
	}
	return json.Unmarshal(answer.Body.Bytes(), receive)
}
