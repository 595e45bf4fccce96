package release

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// publicKey is what `make release-snapshot` signs with, in the folder of the archives.
const publicKey = "throw-away.asc"

// registry serves a release on loopback, as the Registry and as a network mirror do, with the files of the
// folder below /files/.
func (a archives) registry(t *testing.T, key string) *httptest.Server {
	t.Helper()
	sums := map[string]string{}
	for _, match := range checksumLine.FindAllStringSubmatch(read(t, filepath.Join(a.folder, a.sums())), -1) {
		sums[match[2]] = match[1]
	}
	var manifest struct {
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal([]byte(read(t, root+"/terraform-registry-manifest.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	type object map[string]any
	answer := func(w http.ResponseWriter, body object) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}
	platforms, mirrored := []object{}, object{}
	for name, sum := range sums {
		if match := archiveName.FindStringSubmatch(name); match != nil {
			system, processor, _ := strings.Cut(match[2], "_")
			platforms = append(platforms, object{"os": system, "arch": processor})
			mirrored[match[2]] = object{"url": "/files/" + name, "hashes": []string{"zh:" + sum}}
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /files/", http.StripPrefix("/files/", http.FileServer(http.Dir(a.folder))))
	mux.HandleFunc("GET /registry/{namespace}/{type}/versions", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, object{"versions": []object{{"version": a.version, "protocols": manifest.Metadata.Protocols,
			"platforms": platforms}}})
	})
	mux.HandleFunc("GET /registry/{namespace}/{type}/{version}/download/{os}/{arch}",
		func(w http.ResponseWriter, r *http.Request) {
			name := "terraform-provider-neon_" + r.PathValue("version") + "_" + r.PathValue("os") + "_" +
				r.PathValue("arch") + ".zip"
			answer(w, object{
				"protocols": manifest.Metadata.Protocols, "os": r.PathValue("os"), "arch": r.PathValue("arch"), "filename": name,
				"shasum":       sums[name],
				"download_url": "/files/" + name, "shasums_url": "/files/" + a.sums(),
				"shasums_signature_url": "/files/" + a.sums() + ".sig",
				"signing_keys":          object{"gpg_public_keys": []object{{"ascii_armor": key}}},
			})
		})
	mux.HandleFunc("GET /mirror/{host}/{namespace}/{type}/index.json", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, object{"versions": object{a.version: object{}}})
	})
	mux.HandleFunc("GET /mirror/{host}/{namespace}/{type}/{version}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, object{"archives": mirrored})
	})
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	return server
}

// installing returns the environment in which terraform takes providers from that place alone.
func installing(t *testing.T, server *httptest.Server, place string) []string {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "ca.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: server.Certificate().Raw})))
	write(t, filepath.Join(folder, "cli.tfrc"), strings.ReplaceAll(place, "ADDRESS", server.URL))
	return terraformcli.Environment(os.Environ(), map[string]string{
		"TF_CLI_CONFIG_FILE": filepath.Join(folder, "cli.tfrc"), "SSL_CERT_FILE": filepath.Join(folder, "ca.pem"),
		"TF_INPUT": "0", "TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1",
	})
}

// The places that terraform takes providers from: both registries by their names, and a network mirror.
const (
	fromRegistry = `
host "registry.terraform.io" { services = { "providers.v1" = "ADDRESS/registry/" } }
host "registry.opentofu.org" { services = { "providers.v1" = "ADDRESS/registry/" } }
provider_installation { direct {} }`
	fromMirror = `provider_installation { network_mirror { url = "ADDRESS/mirror/" } }`
)

// Terraform installs the provider from a registry, whose signature it verifies, and from a network mirror, and
// locks it for each platform that was built.
func TestArchives_areInstalled(t *testing.T) {
	a := findArchives(t)
	key, err := os.ReadFile(filepath.Join(a.folder, publicKey))
	if err != nil {
		t.Skip("the release isn't signed: that needs gpg")
	}
	program, server := a.program(t), a.registry(t, string(key))
	for name, place := range map[string]string{"registry": fromRegistry, "network mirror": fromMirror} {
		t.Run(name, func(t *testing.T) {
			workspace, environment := a.workspace(t), installing(t, server, place)
			said := run(t, workspace, environment, program, "init", "-no-color")
			if place == fromRegistry && !regexp.MustCompile(`(?i)\((self-signed|signed), key ID [0-9A-F]+\)`).MatchString(said) {
				t.Errorf("no signature is verified:\n%s", said)
			}
		})
	}
	t.Run("locked", func(t *testing.T) {
		lock, built := []string{"providers", "lock", "-no-color"}, 0
		for _, path := range glob(t, filepath.Join(a.folder, "terraform-provider-neon_*.zip")) {
			lock = append(lock, "-platform="+archiveName.FindStringSubmatch(filepath.Base(path))[2])
			built++
		}
		workspace := a.workspace(t)
		run(t, workspace, installing(t, server, fromRegistry), program, lock...)
		if locked := read(t, filepath.Join(workspace, ".terraform.lock.hcl")); strings.Count(locked, `"h1:`) != built {
			t.Errorf("%d platforms were built, and locked is\n%s", built, locked)
		}
	})
}

// A release that was signed with another key than the registry knows isn't installed.
func TestArchives_anothersSignatureIsRefused(t *testing.T) {
	a := findArchives(t)
	if _, err := os.Stat(filepath.Join(a.folder, publicKey)); err != nil {
		t.Skip("the release isn't signed: that needs gpg")
	}
	anothers := read(t, "testdata/another-key.asc")
	said, err := attempt(t, a.workspace(t), installing(t, a.registry(t, anothers), fromRegistry), a.program(t), "init",
		"-no-color")
	if err == nil || !strings.Contains(said, "signature") {
		t.Errorf("terraform installs it (%v):\n%s", err, said)
	}
}
