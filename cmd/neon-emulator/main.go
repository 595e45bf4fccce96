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

// options are what the program is told on its command line.
type options struct {
	listen, envFile string
	// postgres is "auto", "off" or a folder.
	postgres string
	emulator emulator.Config
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("neon-emulator", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8473", "loopback `address` to listen on; port 0 picks a free port")
	flags.DurationVar(&o.emulator.OperationDuration, "operation-duration", 300*time.Millisecond, "how long an operation takes")
	flags.StringVar(&o.emulator.Conflicts, "conflicts", emulator.ConflictsProject,
		"where running operations refuse new work: `project`, branch or none")
	flags.StringVar(&o.emulator.Plan, "plan", "",
		"`plan` of the organizations: free, launch or scale; without one they have what Scale has, with no limits on numbers")
	flags.StringVar(&o.emulator.Limits, "limits", emulator.LimitsWindow,
		"how the rate limits are enforced: `on` (700 requests in any minute), paced (11 a second after a burst of 40) or off")
	flags.IntVar(&o.emulator.BranchPage, "branch-page", 100, "the most branches in one page")
	flags.StringVar(&o.emulator.StateFile, "state", "", "`file` that keeps the world between runs")
	flags.StringVar(&o.postgres, "postgres", "auto",
		"real databases: `auto` where a PostgreSQL server's programs are found, off, or the folder of the programs")
	flags.StringVar(&o.envFile, "env-file", "", "`file` to write the lines of shell to as well")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.emulator.OperationDuration <= 0:
		return o, errors.New("-operation-duration must be more than nothing")
	case o.emulator.BranchPage <= 0:
		return o, errors.New("-branch-page must be at least 1")
	}
	return o, checkLoopback(o.listen)
}

// checkLoopback refuses addresses that other machines could reach: the emulator
// lets everybody who reaches it do everything.
func checkLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("-listen is %q: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("-listen is %q; only a loopback address such as 127.0.0.1:8473 is served", address)
	}
	return nil
}

// run serves until the context ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	installation, err := preparePostgres(ctx, o.postgres, stderr)
	if err != nil {
		return err
	}
	o.emulator.Postgres = installation
	e, err := emulator.New(o.emulator)
	if err != nil {
		return errors.Join(err, installation.Close())
	}
	err = serve(ctx, o, e, stdout, stderr)
	return errors.Join(err, e.Close(), installation.Close())
}

// preparePostgres prepares the PostgreSQL that keeps the branches' data, nil for none.
// Only one that was asked for must be there.
func preparePostgres(ctx context.Context, choice string, stderr io.Writer) (*postgres.Installation, error) {
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
		_, _ = fmt.Fprintf(stderr, "neon-emulator: databases are served by PostgreSQL %s of %s; they go when this program ends\n",
			installation.Version, installation.Programs)
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

func serve(ctx context.Context, o options, e *emulator.Emulator, stdout, stderr io.Writer) error {
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	e.SetBaseURL(base)
	if err := announce(o.envFile, e.Environment(base), stdout); err != nil {
		return errors.Join(err, listener.Close())
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
