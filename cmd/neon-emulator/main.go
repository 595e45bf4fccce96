// Command neon-emulator serves an emulated platform on loopback until it is
// told to stop.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "neon-emulator:", err)
		os.Exit(1)
	}
}

func run() error {
	listen := flag.String("listen", "127.0.0.1:8473", "loopback address to listen on; port 0 picks one")
	duration := flag.Duration("operation-duration", 300*time.Millisecond, "how long an operation takes")
	conflicts := flag.String("conflicts", "project", "what running work refuses new work: project, branch or none")
	limits := flag.String("limits", "on", "whether the rate limits are enforced: on or off")
	page := flag.Int("branch-page", 100, "the most branches in one page")
	envFile := flag.String("env-file", "", "file to write the lines of shell to")
	flag.Parse()
	host, _, err := net.SplitHostPort(*listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("-listen must be a loopback address, got %q", *listen)
	}
	e, err := emulator.New(emulator.Config{OperationDuration: *duration, Conflicts: *conflicts, Limits: *limits == "on", BranchPage: *page})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", *listen)
	if err != nil {
		return err
	}
	base, world := "http://"+listener.Addr().String(), e.FirstWorld()
	lines := fmt.Sprintf("export NEON_BASE_URL=%s\nexport NEON_CLAIM_BASE_URL=%s\nexport NEON_API_KEY=%s\nexport NEON_ORG_ID=%s\nexport NEON_PROJECT_ID=%s\n",
		base, base, world.APIKey, world.OrgID, world.ProjectID)
	fmt.Print(lines)
	if *envFile != "" {
		if err := os.WriteFile(*envFile, []byte(lines), 0o600); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
