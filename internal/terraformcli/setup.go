package terraformcli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WriteOverride writes a configuration of the command line that takes these
// providers from the folder with the programs, so that they need no registry.
func WriteOverride(path, programs string, providers ...string) error {
	var overrides strings.Builder
	for _, provider := range providers {
		fmt.Fprintf(&overrides, "    %q = %q\n", provider, filepath.ToSlash(programs))
	}
	text := fmt.Sprintf("provider_installation {\n  dev_overrides {\n%s  }\n}\n", overrides.String())
	return os.WriteFile(path, []byte(text), 0o600)
}

// Environment is the surroundings without anything that speaks to Terraform or to
// the provider, and with what is ours.
func Environment(surroundings []string, ours ...map[string]string) []string {
	kept := slices.DeleteFunc(slices.Clone(surroundings), func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") || strings.HasPrefix(entry, "NEON_")
	})
	for _, variables := range ours {
		for name, value := range variables {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}
