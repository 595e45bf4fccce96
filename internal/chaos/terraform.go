package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// Programs are those that killed runs are made of.
type Programs struct {
	// Terraform is the path of the program, Provider the folder with the built
	// provider, Address its place in the registry.
	Terraform, Provider, Address string
}

// workspace is a folder with a configuration, and the platform that it is for.
type workspace struct {
	Programs

	folder   string
	platform *platform
}

func newWorkspace(programs Programs, folder string, p *platform) (*workspace, error) {
	err := terraformcli.WriteOverride(filepath.Join(folder, "dev.tfrc"),
		map[string]string{programs.Address: programs.Provider})
	return &workspace{Programs: programs, folder: folder, platform: p}, err
}

func (w *workspace) write(name, content string) error {
	return os.WriteFile(filepath.Join(w.folder, name), []byte(content), 0o600)
}

// command prepares terraform in a process group of its own.
func (w *workspace) command(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := process.Command(ctx, w.Terraform, arguments...)
	cmd.Dir = w.folder
	cmd.Env = terraformcli.Environment(os.Environ(), map[string]string{
		"TF_CLI_CONFIG_FILE": filepath.Join(w.folder, "dev.tfrc"), "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1",
		"TF_INPUT": "0", "NEON_API_KEY": w.platform.APIKey, "NEON_ORG_ID": w.platform.OrgID,
		"NEON_BASE_URL": w.platform.baseURL, "NEON_CLAIM_BASE_URL": w.platform.baseURL,
	})
	cmd.Cancel = func() error { return killGroup(cmd) }
	return cmd
}

// diagnostic is what terraform says about a resource.
type diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
}

func (d diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s\n%s", d.Severity, d.Address, d.Summary, d.Detail)
}

// run carries a command out that speaks JSON, and returns what it said.
func (w *workspace) run(ctx context.Context, arguments ...string) ([]diagnostic, error) {
	var output bytes.Buffer
	cmd := w.command(ctx, arguments...)
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	return diagnosticsIn(output.Bytes()), err
}

func diagnosticsIn(output []byte) []diagnostic {
	var found []diagnostic
	for text := range bytes.Lines(output) {
		var line struct {
			Diagnostic *diagnostic `json:"diagnostic"`
		}
		switch err := json.Unmarshal(text, &line); {
		case err != nil && len(text) > len("\n"):
			found = append(found, diagnostic{Severity: "output", Summary: string(bytes.TrimSpace(text))})
		case err == nil && line.Diagnostic != nil && line.Diagnostic.Summary != "Provider development overrides are "+
			"in effect":
			found = append(found, *line.Diagnostic)
		}
	}
	return found
}

// ids are those of all that the state holds.
func (w *workspace) ids(ctx context.Context) ([]string, error) {
	output, err := w.command(ctx, "show", "-json").Output()
	if err != nil {
		return nil, fmt.Errorf("terraform show: %w", err)
	}
	var shown struct {
		Values struct {
			Root struct {
				Resources []struct {
					Type   string         `json:"type"`
					Values map[string]any `json:"values"`
				} `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if err := json.Unmarshal(output, &shown); err != nil {
		return nil, err
	}
	var ids []string
	for _, resource := range shown.Values.Root.Resources {
		ids = append(ids, idOf(resource.Type, func(name string) string { return textIfAny(resource.Values[name]) }))
		inside := []any{resource.Values["endpoint"]}
		if several, ok := resource.Values["endpoints"].(map[string]any); ok {
			inside = slices.AppendSeq(inside, maps.Values(several))
		}
		for _, one := range inside {
			if endpoint, ok := one.(map[string]any); ok && endpoint["id"] != nil {
				ids = append(ids, textIfAny(endpoint["id"]))
			}
		}
	}
	return ids, nil
}

// textIfAny is a text, empty for any other value.
func textIfAny(value any) string {
	text, _ := value.(string)
	return text
}
