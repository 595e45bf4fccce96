// Command neon-emulator serves an emulated platform on this machine, until it is
// told to stop. On standard output it writes the shell commands that point the
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
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// patience is how long requests may go on after the program is told to stop.
const patience = 5 * time.Second

func main() {
	_ = os.Unsetenv("PGSERVICE") // It is about another server, and is looked up for each session of the emulator's own.
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
	if err := o.checkFiles(ctx); err != nil {
		return err
	}
	if o.detach {
		return detach(os.Args[0], args, o.envFile, stdout)
	}
	if o.verbose {
		o.emulator.Log = stderr
	}
	world, err := openSeed(o.seed)
	if err != nil {
		return err
	}
	defer func() { _ = world.Close() }() // It was only read, if there is one.
	// Whether the address is free shows at once.
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("%w; another emulator may be running; -listen 127.0.0.1:0 picks a free port", err)
	}
	defer func() { _ = listener.Close() }() // The server has closed it.
	if err := removeStale(o.envFile, baseOf(listener)); err != nil {
		return err
	}
	installation, err := preparePostgres(ctx, o, stderr)
	switch {
	case ctx.Err() != nil: // It was told to stop, which is no failure.
		return installation.Close()
	case err != nil:
		return err
	}
	o.emulator.Postgres = installation
	e, err := emulator.New(o.emulator)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w; end what uses it, or -postgres-listen 127.0.0.1:0 picks a free port", err)
	}
	if err != nil {
		return errors.Join(err, installation.Close())
	}
	sayDatabases(stderr, o) // A folder that isn't the emulator's has been refused by now.
	if err = seed(ctx, e, world, stderr); err == nil {
		err = serve(ctx, listener, o.envFile, e, stdout, stderr)
	}
	return errors.Join(err, e.Close(), installation.Close())
}

// preparePostgres prepares the PostgreSQL that keeps the branches' data, nil for none.
// Only one that was asked for must be there.
func preparePostgres(ctx context.Context, o options, stderr io.Writer) (*postgres.Installation, error) {
	if o.postgres == "off" {
		sayNoDatabase(stderr, "-postgres is off")
		return nil, nil //nolint:nilnil // There is none, and that is no error.
	}
	installation, err := findPostgres(ctx, o.postgres)
	switch {
	case err == nil:
		go func() {
			if err := installation.Ready(ctx); err != nil && !errors.Is(err, context.Canceled) {
				_, _ = fmt.Fprintln(stderr, "neon-emulator: databases can't be used:", err)
			}
		}()
	case o.postgres != "auto" || ctx.Err() != nil:
		return nil, err
	default:
		sayNoDatabase(stderr, err.Error())
	}
	return installation, nil
}

// sayDatabases says what keeps the branches' data, and where.
func sayDatabases(stderr io.Writer, o options) {
	installation := o.emulator.Postgres
	if installation == nil {
		return
	}
	life := "they are deleted when this program ends"
	if o.emulator.DataFolder != "" {
		life = "they are kept in " + o.emulator.DataFolder
	}
	_, _ = fmt.Fprintf(stderr, "neon-emulator: databases are served by PostgreSQL %s in %s; %s\n",
		installation.Version, installation.Programs, life)
	if usual := emulator.UsualPostgres; installation.Major(usual) != usual {
		_, _ = fmt.Fprintf(stderr, "neon-emulator: projects say that they have PostgreSQL %d, and have %s: the programs "+
			"of %d aren't here\n",
			usual, installation.Version, usual)
	}
}

// findPostgres prepares the PostgreSQL of a folder, or with "auto" one that is found.
func findPostgres(ctx context.Context, programs string) (installation *postgres.Installation, err error) {
	isAuto := programs == "auto"
	if isAuto {
		programs, err = postgres.FindPrograms(ctx)
	} else if err = postgres.CheckPrograms(programs); err != nil {
		err = fmt.Errorf("-postgres is %q; it must be auto, off or a folder: %w", programs, err)
	}
	if err != nil {
		return nil, err
	}
	installation, err = postgres.Prepare(ctx, programs)
	switch {
	case err != nil:
	case isAuto:
		installation.AllVersions(ctx)
	default: // It was asked for, so it must work.
		err = installation.Ready(ctx)
	}
	return installation, err
}

// noDatabase begins the message of an emulator that serves no database.
const noDatabase = "neon-emulator: no database is served: "

func sayNoDatabase(stderr io.Writer, reason string) {
	_, _ = fmt.Fprintln(stderr, noDatabase+reason+"; connection strings have the right form, but nothing answers them. "+
		"To have databases, install PostgreSQL's server (Debian: postgresql, Homebrew: postgresql@18) and start the "+
		"emulator again.")
}

// openSeed opens the file that describes the world, nil for none.
func openSeed(name string) (*os.File, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // There is none, and that is no error.
	}
	file, err := os.Open(name) //nolint:gosec // It is named by who starts the program.
	if err != nil {
		return nil, fmt.Errorf("-seed-world is %q: %w", name, err)
	}
	return file, nil
}

// seed builds what a file describes, where there is one. A world of an earlier run stays as it is.
func seed(ctx context.Context, e *emulator.Emulator, file *os.File, stderr io.Writer) error {
	if file == nil {
		return nil
	}
	if !e.WorldIsNew() {
		_, _ = fmt.Fprintf(stderr, "neon-emulator: -seed-world %s changes nothing: the world of an earlier run is kept\n",
			file.Name())
	}
	if err := e.SeedWorld(ctx, file); err != nil {
		return fmt.Errorf("-seed-world %s: %w", file.Name(), err)
	}
	return nil
}

// serve tells programs where the emulator is, and serves it until the context ends.
func serve(
	ctx context.Context, listener net.Listener, envFile string, e *emulator.Emulator, stdout, stderr io.Writer,
) error {
	base := baseOf(listener)
	if !exposed(listener) {
		e.SetBaseURL(base) // Other machines know it by other names.
	}
	lines := e.Environment(base)
	if envFile != "" {
		lines += fmt.Sprintf("export %s=%d\n", processVariable, os.Getpid())
		if err := writeEnvFile(ctx, envFile, lines); err != nil {
			return err
		}
	}
	// Whoever has read the lines can read the file, too.
	_, err := io.WriteString(stdout, lines)
	if err == nil {
		err = serveHTTP(ctx, listener, e, stderr)
	}
	return errors.Join(err, removeEnvFile(envFile, lines))
}

// baseOf is where the emulator is on this machine.
func baseOf(listener net.Listener) string {
	if !exposed(listener) {
		return "http://" + listener.Addr().String()
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return "http://" + net.JoinHostPort("127.0.0.1", port)
}

// exposed reports whether other machines reach a listener, which is then on all addresses of this one.
func exposed(listener net.Listener) bool {
	address, _ := listener.Addr().(*net.TCPAddr)
	return address.IP.IsUnspecified()
}

func serveHTTP(ctx context.Context, listener net.Listener, e *emulator.Emulator, stderr io.Writer) error {
	_, _ = fmt.Fprintf(stderr, "neon-emulator: serving on %s, where a page shows what happens; stop it with Ctrl-C\n",
		baseOf(listener))
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
