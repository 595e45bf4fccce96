// Package neon runs Neon in a container for tests.
package neon

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

var exported = regexp.MustCompile(`(?m)^export (\w+)=(.*)$`)

// Start runs Neon with a branch, and sets DATABASE_URL and the variables of its API. Terminate of what it returns ends
// it.
func Start(ctx context.Context, image string) (testcontainers.Container, error) {
	neon, err := testcontainers.Run(ctx, image,
		testcontainers.WithEnv(map[string]string{"NEON_EMULATOR_TOKEN": "test"}),
		testcontainers.WithCmd("-connect-host", "localhost"),
		testcontainers.WithExposedPorts("8473/tcp", "5432:5432/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHealthCheck()),
	)
	if err != nil {
		return neon, err
	}
	at, err := neon.PortEndpoint(ctx, "8473/tcp", "http")
	if err != nil {
		return neon, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/_emulator/environment", nil)
	if err != nil {
		return neon, err
	}
	request.Header.Set("Authorization", "Bearer test")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return neon, err
	}
	defer answer.Body.Close()
	lines, err := io.ReadAll(answer.Body)
	if err != nil {
		return neon, err
	}
	for _, variable := range exported.FindAllStringSubmatch(string(lines), -1) {
		if err := os.Setenv(variable[1], variable[2]); err != nil {
			return neon, err
		}
	}
	return neon, nil
}
