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
	// isUnlimited is true where the provider sends as many requests as it likes.
	isUnlimited bool
}

func (b *bench) startPlatform(config emulator.Config) *platform {
	emulated := must(emulator.New(config))
	server := httptest.NewServer(emulated)
	b.cleanup = append(b.cleanup, func() error {
		server.Close()
		return emulated.Close()
	})
	return &platform{emulated, server.URL, emulated.FirstWorld(), config.Limits == emulator.LimitsOff}
}

// client returns a client of the platform.
func (p *platform) client() *client.Client {
	return must(client.New(client.Config{BaseURL: p.address, APIKey: p.world.APIKey}))
}

// call sends a request to the control path, past the provider and its client.
func (p *platform) call(ctx context.Context, method, path string, send, receive any) {
	request := httptest.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(must(json.Marshal(send))))
	request.RemoteAddr = "127.0.0.1:1" // It is for this machine alone.
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	p.ServeHTTP(answer, request)
	if answer.Code >= http.StatusMultipleChoices {
		check(fmt.Errorf("%s %s: %d %s", method, path, answer.Code, answer.Body))
	}
	if receive != nil {
		check(json.Unmarshal(answer.Body.Bytes(), receive))
	}
}
