// Command neon-emulator serves an emulated platform on this machine, until it is
// told to stop. On standard output it writes the lines of shell that point the
// provider at it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// patience is how long requests may go on after the program is told to stop.
const patience = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "neon-emulator:", err)
		os.Exit(1)
	}
}

// run serves until the context ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.version {
		_, err := fmt.Fprintln(stdout, "neon-emulator", programVersion())
		return err
	}
	if o.verbose {
		o.emulator.Log = stderr
	}
	// Whether the address is free shows at once.
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("%w; another emulator may be running; -listen 127.0.0.1:0 picks a free port", err)
	}
	defer func() { _ = listener.Close() }() // The server has closed it.
	installation, err := preparePostgres(ctx, o, stderr)
	if err != nil {
		return err
	}
	o.emulator.Postgres = installation
	e, err := emulator.New(o.emulator)
	if err != nil {
		return errors.Join(err, installation.Close())
	}
	if err = seed(ctx, e, o.seed); err == nil {
		err = serve(ctx, listener, o.envFile, e, stdout, stderr)
	}
	return errors.Join(err, e.Close(), installation.Close())
}

// preparePostgres prepares the PostgreSQL that keeps the branches' data, nil for none.
// Only one that was asked for must be there.
func preparePostgres(ctx context.Context, o options, stderr io.Writer) (*postgres.Installation, error) {
	choice, life := o.postgres, "they go when this program ends"
	if o.emulator.DataFolder != "" {
		life = "they are kept in " + o.emulator.DataFolder
	}
	if choice == "off" {
		sayNoDatabase(stderr, "as -postgres=off says")
		return nil, nil //nolint:nilnil // There is none, and that is no error.
	}
	programs := choice
	var err error
	if choice == "auto" {
		programs, err = postgres.FindPrograms(ctx)
	}
	var installation *postgres.Installation
	if err == nil {
		installation, err = postgres.Prepare(ctx, programs)
	}
	switch {
	case err == nil:
		_, _ = fmt.Fprintf(stderr, "neon-emulator: databases are served by PostgreSQL %s of %s; %s\n",
			installation.Version, installation.Programs, life)
	case choice != "auto" || ctx.Err() != nil:
		return nil, err
	default:
		sayNoDatabase(stderr, err.Error())
	}
	return installation, nil
}

func sayNoDatabase(stderr io.Writer, reason string) {
	_, _ = fmt.Fprintln(stderr, "neon-emulator: no database is served: "+reason+
		"; connection strings are of the right form, but nothing answers there")
}

// seed builds what a file describes, where one is named.
func seed(ctx context.Context, e *emulator.Emulator, name string) error {
	if name == "" {
		return nil
	}
	file, err := os.Open(name) //nolint:gosec // It is named by who starts the program.
	if err != nil {
		return fmt.Errorf("-seed-world: %w", err)
	}
	if err := errors.Join(e.SeedWorld(ctx, file), file.Close()); err != nil {
		return fmt.Errorf("-seed-world %s: %w", name, err)
	}
	return nil
}

func serve(ctx context.Context, listener net.Listener, envFile string, e *emulator.Emulator, stdout, stderr io.Writer) error {
	base := "http://" + listener.Addr().String()
	e.SetBaseURL(base)
	if err := announce(envFile, e.Environment(base), stdout); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "neon-emulator: serving on %s, where a page shows what happens; stop it with Ctrl-C\n", base)
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	server.RegisterOnShutdown(e.EndPages)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// The context has ended, and requests may go on a little longer.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close()
	}
	return nil
}

// announce writes the lines. The file holds a key, so only its owner may read it,
// and it appears as a whole for those who wait for it.
func announce(file, lines string, stdout io.Writer) error {
	if _, err := io.WriteString(stdout, lines); err != nil || file == "" {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp") // It has mode 0600.
	if err != nil {
		return err
	}
	_, err = draft.WriteString(lines)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}
