package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// state is a file of Terraform's state, version 4.
type state struct {
	Version          int             `json:"version"`
	TerraformVersion string          `json:"terraform_version"`
	Serial           int             `json:"serial"`
	Lineage          string          `json:"lineage"`
	Outputs          json.RawMessage `json:"outputs"`
	Resources        []stateResource `json:"resources"`
	CheckResults     json.RawMessage `json:"check_results"`
}

type stateResource struct {
	Mode      string            `json:"mode"`
	Type      string            `json:"type"`
	Name      string            `json:"name"`
	Provider  string            `json:"provider"`
	Instances []json.RawMessage `json:"instances"`
}

func (w *workspace) stateFile() string { return filepath.Join(w.folder, "terraform.tfstate") }

// grow gives each resource of the state, which has one instance of each, so many of them. The
// nth differs from the first in its key and in the texts that differ names, pair by pair.
func (w *workspace) grow(count int, differ func(resource string, nth int) []string) error {
	text, err := os.ReadFile(w.stateFile())
	if err != nil {
		return err
	}
	var all state
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for i := range all.Resources {
		grown := &all.Resources[i]
		if len(grown.Instances) != 1 {
			return fmt.Errorf("the state has %d instances of %s", len(grown.Instances), grown.Name)
		}
		pattern, err := json.Marshal(grown.Instances[0]) // Without spaces.
		if err != nil {
			return err
		}
		grown.Instances = make([]json.RawMessage, count)
		for nth := range count {
			pairs := slices.Concat([]string{`"index_key":0,`, fmt.Sprintf(`"index_key":%d,`, nth)}, differ(grown.Name, nth))
			grown.Instances[nth] = json.RawMessage(strings.NewReplacer(pairs...).Replace(string(pattern)))
		}
	}
	if text, err = json.Marshal(all); err != nil {
		return err
	}
	return os.WriteFile(w.stateFile(), text, 0o600)
}
