package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const usage = `Usage: neon-emulator [flags]

Serves an emulation of Neon's APIs on this machine, with a page that shows what happens, until
it is stopped with Ctrl-C. On standard output it writes the shell commands that point programs at it.

  go install github.com/seed-a7382548/terraform-provider-neon/cmd/neon-emulator@latest

Flags:
`

// version is set by the release build.
var version string

// programVersion is that of the release, or of the module that was built.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, known := debug.ReadBuildInfo(); known && info.Main.Version != "" {
		return info.Main.Version
	}
	return "dev"
}

var hostPattern = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// options are what the program is told on its command line.
type options struct {
	listen, postgresListen, envFile, seed string
	verbose, version                      bool
	// detach says that the program is to go on in the background.
	detach bool
	// postgres is "auto", "off" or a folder.
	postgres string
	emulator emulator.Config
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{postgres: "auto", emulator: emulator.Config{OperationDuration: 300 * time.Millisecond,
		Limits: emulator.LimitsWindow}}
	flags := o.flags()
	// The error is told by who called; what is printed here is only the help.
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stderr)
		_, _ = fmt.Fprint(stderr, usage) // Nobody waits for it.
		flags.PrintDefaults()
		return o, err
	case err != nil:
		return o, fmt.Errorf("%w; neon-emulator -h lists the flags", err)
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q; neon-emulator -h lists the flags", flags.Arg(0))
	case o.emulator.DataFolder != "" && o.emulator.StateFile != "":
		return o, errors.New("-data keeps the world, and -state does too, without its databases: give one of them")
	case o.detach && o.envFile == "":
		return o, errors.New("-detach needs -env-file, which says where the emulator in the background is")
	case o.postgres == "off" && o.postgresListen != "":
		return o, errors.New("-postgres-listen is where databases are served, and -postgres off serves none: give " +
			"one of them")
	}
	o.emulator.Token = os.Getenv("NEON_EMULATOR_TOKEN")
	_, _, err = o.checkAddress("-listen", o.listen)
	if err == nil && o.postgresListen != "" {
		o.emulator.PostgresHost, o.emulator.PostgresPort, err = o.checkAddress("-postgres-listen", o.postgresListen)
	}
	return o, err
}

// flags are those of the program, which set the options.
func (o *options) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("neon-emulator", flag.ContinueOnError)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8473", "loopback `address` to listen on; port 0 picks a free port")
	flags.Func("operation-duration", "how long an operation takes, a `duration` such as 300ms (the default) or 2s",
		func(text string) (err error) {
			o.emulator.OperationDuration, err = positive(text)
			return err
		})
	flags.Func("conflicts", "where running operations refuse new work: `project` (the default), branch or none",
		oneOf(&o.emulator.Conflicts, emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone))
	flags.Func("plan", "`plan` of the organizations: free, launch or scale; without one they have what Scale has, with "+
		"no limits on numbers but that of root branches",
		oneOf(&o.emulator.Plan, "free", "launch", "scale"))
	flags.Func("limits", "how the rate limits are enforced: `on` (700 requests in any minute, the default), paced (11 a "+
		"second after a burst of 40) or off",
		oneOf(&o.emulator.Limits, emulator.LimitsWindow, emulator.LimitsPaced, emulator.LimitsOff))
	flags.Func("branch-page", "the most branches in one page, a `number`; 100 by default", func(text string) (err error) {
		if o.emulator.BranchPage, err = strconv.Atoi(text); err != nil || o.emulator.BranchPage < 1 {
			return errors.New("it must be a whole number, at least 1")
		}
		return nil
	})
	flags.Func("readings", "what Neon may do in another way than was decided, `name=alternative,...`; GET "+
		"/_emulator/readings lists what there is", func(text string) (err error) {
		o.emulator.Readings, err = emulator.ParseReadings(text)
		return err
	})
	flags.Func("state", "`file` that keeps the world between runs, without its databases", notEmpty(&o.emulator.StateFile))
	flags.Func("data", "`folder` that keeps the world and its databases between runs", notEmpty(&o.emulator.DataFolder))
	flags.Func("seed-world", "YAML `file` with organizations, projects, branches and SQL that a new world begins with",
		notEmpty(&o.seed))
	flags.Func("postgres", "real databases: `auto` where a PostgreSQL server's programs are found (the default), off, "+
		"or the folder of the programs", notEmpty(&o.postgres))
	flags.Func("postgres-listen", "`address` that databases are served on, such as 127.0.0.1:5433; by default a "+
		"free port, which a kept world keeps", notEmpty(&o.postgresListen))
	flags.Func("connect-host", "`name` of this machine that all connection strings lead to, with the endpoint in an "+
		"option and without TLS, for any driver; by default the host names of endpoints", func(text string) error {
		if !hostPattern.MatchString(text) && net.ParseIP(text) == nil {
			return errors.New("it must be a host's name or address without a port, such as db")
		}
		o.emulator.ConnectHost = text
		return nil
	})
	flags.BoolVar(&o.emulator.Exposed, "expose", false, "let -listen and -postgres-listen name addresses that other "+
		"machines reach. Whoever has a key or a password can then use the APIs and the databases from there, and anybody "+
		"can create claimable databases; the control path and the page stay with this machine, unless NEON_EMULATOR_TOKEN "+
		"is set: they then need that token, also here")
	flags.Func("allow-origin", "`origin` of web pages, such as http://localhost:5173, that may use the databases "+
		"without sockets (/sql, /v1, /v2) and signed addresses of files; can be given several times. No page of another "+
		"origin gets an answer", func(text string) error {
		page, err := url.Parse(text)
		if err != nil || page.Host == "" || (page.Scheme != "http" && page.Scheme != "https") ||
			text != page.Scheme+"://"+page.Host {
			return errors.New("it must be a scheme and a host, with a port where there is one, such as http://localhost:5173")
		}
		o.emulator.AllowedOrigins = append(o.emulator.AllowedOrigins, text)
		return nil
	})
	flags.Func("past", "what becomes of calls that ask for a branch's data of a past moment, since which it has changed:"+
		" `refuse` (the default), as no history is kept, or present, which gives the present data",
		oneOf(&o.emulator.Past, emulator.PastRefused, emulator.PastPresent))
	flags.Func("env-file", "`file` to write these shell commands to as well, with NEON_EMULATOR_PID; it must be new, or "+
		"of an emulator that has ended, and is deleted at the end", notEmpty(&o.envFile))
	flags.BoolVar(&o.detach, "detach", false, "return once the emulator serves, or with the reason why it can't; it "+
		"goes on in the background")
	flags.BoolVar(&o.verbose, "v", false, "log each request on standard error")
	flags.BoolVar(&o.version, "version", false, "print the version and end")
	return flags
}

// oneOf sets a text that must be one of these.
func oneOf(value *string, allowed ...string) func(text string) error {
	return func(text string) error {
		if !slices.Contains(allowed, text) {
			last := len(allowed) - 1
			return fmt.Errorf("it must be %s or %s", strings.Join(allowed[:last], ", "), allowed[last])
		}
		*value = text
		return nil
	}
}

// notEmpty sets a text. An empty one comes from a variable of the shell that isn't set.
func notEmpty(value *string) func(text string) error {
	return func(text string) error {
		if text == "" {
			return errors.New("it must not be empty")
		}
		*value = text
		return nil
	}
}

// positive reads a duration.
func positive(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration <= 0 {
		return 0, errors.New("it must be a duration of more than nothing, such as 300ms, 2s or 1m30s")
	}
	return duration, nil
}

// checkAddress refuses addresses that other machines could reach, unless they are meant to. The host names of databases
// lead to 127.0.0.1 alone.
func (o *options) checkAddress(what, address string) (string, int, error) {
	wanted := "a loopback address with a port, such as 127.0.0.1:8473"
	if what == "-postgres-listen" {
		wanted = "127.0.0.1 with a port, such as 127.0.0.1:5433, where the host names of databases lead"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("%s is %q; it must be %s", what, address, wanted)
	}
	ip := net.ParseIP(host)
	here := host == "localhost" || ip.IsLoopback() && (what == "-listen" || host == "127.0.0.1")
	if !here && (!o.emulator.Exposed || ip == nil) {
		return "", 0, fmt.Errorf("%s is %q; it must be %s, or with -expose an address that other machines reach, such as "+
			"0.0.0.0:8473",
			what, address, wanted)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("%s is %q; its port must be a number up to 65535", what, address)
	}
	if host == "localhost" && what == "-postgres-listen" {
		host = "127.0.0.1"
	}
	return host, int(number), nil
}
