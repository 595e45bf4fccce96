package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// imported says how to import a resource: what its id consists of, which data source returns that, and a block for the
// resource of its first example.
func imported(resource nouns.Resource) (string, error) {
	example, err := os.ReadFile(filepath.Join("examples", "resources", resource.Name, "resource.tf"))
	if err != nil {
		return "", fmt.Errorf("%s needs an example: %w", resource.Name, err)
	}
	label := regexp.MustCompile(`resource "` + resource.Name + `" "(\w+)"`).FindSubmatch(example)
	if label == nil {
		return "", fmt.Errorf("the example of %s has none", resource.Name)
	}
	return importBlock(resource, string(label[1]))
}

// rule is what an error about an import id says of a right one: how it looks, and which data source returns it.
var rule = regexp.MustCompile(`such as (\S+);(?:.* [Tt]he data source (neon_\w+))?`)

// importBlock is the block with what an error of the provider shows as an import id.
func importBlock(resource nouns.Resource, label string) (string, error) {
	answer, err := provider.NewServer("pages").New().ImportResourceState(context.Background(),
		&tfprotov6.ImportResourceStateRequest{TypeName: resource.Name, ID: "?"})
	if err != nil {
		return "", err
	}
	for _, said := range answer.Diagnostics {
		shown := rule.FindStringSubmatch(said.Detail)
		if shown == nil {
			continue
		}
		source := ""
		if shown[2] != "" {
			source = ", which the data source `" + shown[2] + "` returns"
		}
		return fmt.Sprintf("\n\nBy %s%s ([how to import](../index.md#imports)):\n\n```terraform\n"+
			"import {\n  to = %s.%s\n  id = %q\n}\n```",
			enumerated(resource.Identity), source, resource.Name, label, shown[1]), nil
	}
	return "", fmt.Errorf("no error about an import id of %s shows a right one: say \"such as\" in the rule of its key",
		resource.Name)
}
