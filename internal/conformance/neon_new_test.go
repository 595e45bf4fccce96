package conformance

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/joho/godotenv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// runNeonNew runs the command line for claimable databases in a folder.
func runNeonNew(t *testing.T, base, folder string, arguments ...string) {
	t.Helper()
	clients := needClients(t)
	needNode(t)
	rewrite, err := filepath.Abs("../../examples/neon-without-neon/neon-new-here.mjs")
	if err != nil {
		t.Fatal(err)
	}
	arguments = append([]string{"--import", rewrite, filepath.Join(clients, "neon-new", "dist", "cli.js"), "--yes"},
		arguments...)
	command := exec.CommandContext(t.Context(), "node", arguments...)
	command.Dir, command.Env = folder, append(os.Environ(), "CLAIM_BASE="+base)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("neon-new: %v\n%s", err, output)
	}
}

var expiryLine = regexp.MustCompile(`(?m)^# Claimable DB expires at: (.*)$`)

// expiry takes the moment of expiry out of a file, which must be in the form that
// both write it in.
func expiry(t *testing.T, file string) (time.Time, string) {
	t.Helper()
	line := expiryLine.FindStringSubmatch(file)
	if line == nil {
		t.Fatalf("no expiry in %q", file)
	}
	moment, err := time.Parse(http.TimeFormat, line[1])
	if err != nil {
		t.Error(err)
	}
	return moment, strings.Replace(file, line[1], "", 1)
}

// The official tool writes its file from the emulator, and the function env_file
// writes the same for the same database.
func TestNeonNew(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.SetBaseURL(server.URL)
	for name, test := range map[string]struct {
		arguments   []string
		key, prefix string
	}{
		"defaults": {nil, "DATABASE_URL", "PUBLIC_"},
		"chosen":   {[]string{"--key", "MAIN_URL", "--prefix", "VITE_", "--ref", "somebody"}, "MAIN_URL", "VITE_"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			runNeonNew(t, server.URL, folder, test.arguments...)
			path := filepath.Join(folder, ".env")
			written, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			values, err := godotenv.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			claim := values[test.prefix+"POSTGRES_CLAIM_URL"]
			database := claimed(t, server.URL, claim[strings.LastIndex(claim, "/")+1:])
			// Of its own, the tool makes up the claim URL and counts the hours.
			database.ClaimURL = claim
			ours := envFile(t, database, test.key, test.prefix)
			theirMoment, theirRest := expiry(t, string(written))
			ourMoment, ourRest := expiry(t, ours)
			if diff := cmp.Diff(theirRest, ourRest); diff != "" {
				t.Error(diff)
			}
			if theirMoment.Sub(ourMoment).Abs() > time.Minute {
				t.Errorf("the tool says that it expires at %s, we say %s", theirMoment, ourMoment)
			}
		})
	}
}

func claimed(t *testing.T, base, id string) *client.ClaimableDatabase {
	t.Helper()
	api, err := client.New(client.Config{BaseURL: base, ClaimBaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	database, err := api.GetClaimableDatabase(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return database
}

// envFile calls the provider's function of that name.
func envFile(t *testing.T, database *client.ClaimableDatabase, key, prefix string) string {
	t.Helper()
	server := provider.NewServer("test").New()
	text := func(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }
	argument := func(kind tftypes.Type, values map[string]tftypes.Value) *tfprotov6.DynamicValue {
		argument, err := tfprotov6.NewDynamicValue(kind, tftypes.NewValue(kind, values))
		if err != nil {
			t.Fatal(err)
		}
		return &argument
	}
	databaseType := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"connection_string": tftypes.String, "claim_url": tftypes.String, "expires_at": tftypes.String,
	}}
	answer, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "env_file",
		Arguments: []*tfprotov6.DynamicValue{
			argument(databaseType, map[string]tftypes.Value{
				"connection_string": text(*database.ConnectionString), "claim_url": text(database.ClaimURL),
				"expires_at": text(database.ExpiresAt.UTC().Format(time.RFC3339)),
			}),
			argument(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"key": text(key),
				"prefix": text(prefix)}),
		}})
	if err != nil || answer.Error != nil {
		t.Fatalf("env_file: %v, %+v", err, answer.Error)
	}
	value, err := answer.Result.Unmarshal(tftypes.String)
	if err != nil {
		t.Fatal(err)
	}
	var written string
	if err := value.As(&written); err != nil {
		t.Fatal(err)
	}
	return written
}
