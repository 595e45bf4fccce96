package terraformcli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// WriteOverride writes a configuration of the command line that takes providers
// from the folders with their programs, so that these need no registry.
func WriteOverride(path string, folders map[string]string) error {
	var overrides strings.Builder
	for _, provider := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(&overrides, "    %q = %q\n", provider, filepath.ToSlash(folders[provider]))
	}
	text := fmt.Sprintf("provider_installation {\n  dev_overrides {\n%s  }\n  direct {}\n}\n", overrides.String())
	return os.WriteFile(path, []byte(text), 0o600)
}

// Environment is the surroundings without anything that speaks to Terraform or to
// the provider, and with what is ours.
func Environment(surroundings []string, ours ...map[string]string) []string {
	kept := slices.DeleteFunc(slices.Clone(surroundings), func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") || strings.HasPrefix(entry, "NEON_") ||
			strings.HasPrefix(entry, "CLAIMABLE_NEON_")
	})
	for _, variables := range ours {
		for name, value := range variables {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}

// WriteMirror copies a provider's program to a folder that terraform init installs it from,
// as a version of the provider "namespace/name", and writes the configuration of the command
// line for that. All other providers still come from their registries. An earlier version in
// the mirror is removed.
func WriteMirror(path, mirror, program, provider, version string) error {
	if err := os.RemoveAll(mirror); err != nil {
		return err
	}
	content, err := os.ReadFile(program) // #nosec G304 -- the caller has built it
	if err != nil {
		return err
	}
	var addresses []string
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		addresses = append(addresses, fmt.Sprintf("%q", registry+"/"+provider))
		folder := filepath.Join(mirror, registry, filepath.FromSlash(provider), version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return err
		}
		name := "terraform-provider-" + filepath.Base(provider) + "_v" + version + filepath.Ext(program)
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o700); err != nil { // #nosec G306 -- it is a program
			return err
		}
	}
	mirrored := strings.Join(addresses, ", ")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path    = %q\n    include = [%s]\n  }\n  "+
		"direct {\n    exclude = [%s]\n  }\n}\n",
		filepath.ToSlash(mirror), mirrored, mirrored)
	return os.WriteFile(path, []byte(text), 0o600)
}
