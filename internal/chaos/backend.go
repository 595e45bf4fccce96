package chaos

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Storage and functions of a branch, and who may use them.
const (
	credential   = "neon_service_credential" // #nosec G101 -- the name of a resource
	bucket       = "neon_bucket"
	bucketObject = "neon_bucket_object"
	function     = "neon_function"
	trigger      = "neon_trigger"
	customDomain = "neon_custom_domain"

	credentials   = "service_credentials"
	buckets       = "buckets"
	bucketObjects = "bucket_objects"
	functions     = "functions"
	triggers      = "triggers"
	customDomains = "custom_domains"
)

// sharedBucket is the one that cycles put objects into, and servedFunctions are those that triggers and domains
// lead to, one after the other: they are there only for them.
const sharedBucket = "shared"

var servedFunctions = []string{"served", "served2"}

// isBackend reports whether the resource is one of these.
func (c *cycle) isBackend() bool {
	return slices.Contains([]string{credential, bucket, bucketObject, function, trigger, customDomain}, c.resource)
}

// slugOf is a name as functions can have it.
func slugOf(name string) string { return strings.ReplaceAll(name, "-", "") }

// scopes are a credential's in its versions.
var scopes = [][]string{{"storage:read"}, {"storage:read"}, {"functions:invoke", "storage:write"}}

// crons are a trigger's schedules in its versions.
var crons = []string{"0 3 * * *", "0 15 * * 1"}

// accesses are a bucket's in its versions: what is between the two changes in place.
var accesses = []string{"private", "private", "public_read"}

// configureBackend has a credential given new secrets in place and replaced, a bucket changed in place and replaced, another
// content put into an object, other code and variables deployed to a function, a trigger renamed and disabled, and a
// domain lead to another function.
func (c *cycle) configureBackend(schema *tfprotov6.Schema, version int, given map[string]tftypes.Value) {
	given["project_id"], given["branch_id"] = c.branchOr(c.project.home)
	boolean := func(value bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, value) }
	switch c.resource {
	case credential:
		given["name"], given["scopes"] = text(c.name), textSet(scopes[version]...)
		given["rotation_triggers"] = textMap(map[string]string{"version": fmt.Sprint(min(version, 1))})
	case bucket:
		given["name"], given["access_level"], given["force_destroy"] = text(c.name), text(accesses[version]), boolean(version > 0)
	case bucketObject:
		given["bucket_name"], given["key"] = text(sharedBucket), text(c.name)
		given["source"] = text(codeOf(c.project.files, version))
	case function:
		given["slug"], given["name"], given["source"] = text(slugOf(c.name)), text(c.versionedName(version)), text(codeOf(c.project.files, version))
		given["environment"] = textMap(map[string]string{"VERSION": fmt.Sprint(version)})
	case trigger:
		given["name"], given["function_slug"], given["enabled"] = text(c.versionedName(version)), text(servedFunctions[version]), boolean(version == 0)
		given["schedule"] = objectOf(nested(schema, "schedule"), map[string]tftypes.Value{"cron": text(crons[version])})
	case customDomain:
		given["domain"], given["function_slug"] = text(c.name+".example.com"), text(servedFunctions[version])
	}
}

// backendAtFault compares one of these with the configuration.
func (c *cycle) backendAtFault(o object, config tftypes.Value) string {
	wanted := elements(config)
	for what, values := range map[string][2]string{
		credential:   {o.Name + " " + string(o.Scopes), textIn(config, "name") + " " + textsIn(wanted["scopes"])},
		bucket:       {o.Access, textIn(config, "access_level")},
		bucketObject: {o.SHA256, hashOf(textIn(config, "source"))},
		function:     {o.Title + " " + o.Bundle + " " + string(o.Environment), textIn(config, "name") + " " + hashOf(textIn(config, "source")) + " " + textsIn(wanted["environment"])},
		trigger:      {fmt.Sprint(o.Name, o.FunctionSlug, o.Enabled), fmt.Sprint(textIn(config, "name"), textIn(config, "function_slug"), isTrue(wanted["enabled"]))},
		customDomain: {o.Entity, textIn(config, "function_slug")},
	} {
		if what == c.resource && values[0] != values[1] {
			return fmt.Sprintf("%s is %q, not %q", o.id(), values[0], values[1])
		}
	}
	// One that was created or imported with these triggers has its first secrets.
	isNew := c.taken+len(c.deleted) > 0 || textIn(wanted["rotation_triggers"], "version") == "0" || textsIn(wanted["scopes"]) != fmt.Sprint(scopes[1])
	if c.resource == credential && !isNew && o.Rotations == 0 {
		return o.id() + " has its first secrets"
	}
	return ""
}

// printed is a list or an object of texts as fmt prints it, which can be compared.
type printed string

// UnmarshalJSON takes whatever it is.
func (p *printed) UnmarshalJSON(data []byte) error {
	var value any
	err := json.Unmarshal(data, &value)
	*p = printed(fmt.Sprint(value))
	return err
}

// textsIn prints a set or a map of texts.
func textsIn(value tftypes.Value) string {
	var list []tftypes.Value
	if value.Type() != nil && value.Type().Is(tftypes.Set{}) && value.As(&list) == nil {
		texts := make([]string, len(list))
		for i, one := range list {
			texts[i] = textOf(one)
		}
		return fmt.Sprint(slices.Sorted(slices.Values(texts)))
	}
	texts := map[string]string{}
	for name, one := range elements(value) {
		texts[name] = textOf(one)
	}
	return fmt.Sprint(texts)
}

func textSet(texts ...string) tftypes.Value {
	values := make([]tftypes.Value, len(texts))
	for i, one := range texts {
		values[i] = text(one)
	}
	return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, values)
}

// codeOf is the archive with the code of a version.
func codeOf(files string, version int) string {
	return filepath.Join(files, fmt.Sprintf("v%d.zip", version))
}

// writeCode writes what functions and objects have in their versions.
func writeCode(files string) error {
	for version := range 2 {
		var data bytes.Buffer
		archive := zip.NewWriter(&data)
		entry, err := archive.Create("index.mjs")
		if err == nil {
			_, err = fmt.Fprintf(entry, "export default { fetch: () => new Response(\"%d\") };\n", version)
		}
		if err = errors.Join(err, archive.Close()); err == nil {
			err = os.WriteFile(codeOf(files, version), data.Bytes(), 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func hashOf(file string) string {
	content, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// serve makes the bucket and the functions on a branch that cycles need there. What the functions are doesn't matter.
func (p *platform) serve(ctx context.Context, projectID, branchID string) error {
	at := "/api/v2/projects/" + projectID + "/branches/" + branchID
	if err := p.insist(ctx, at+"/buckets", map[string]string{"name": sharedBucket}, nil); err != nil {
		return err
	}
	const form = "--b\r\nContent-Disposition: form-data; name=\"zip\"; filename=\"f.zip\"\r\n\r\n\r\n--b--\r\n"
	for _, slug := range servedFunctions {
		response, err := p.send(ctx, http.MethodPost, at+"/functions/"+slug+"/deployments", "multipart/form-data; boundary=b", []byte(form))
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			return fmt.Errorf("function %s: %s", slug, response.Status)
		}
	}
	return nil
}

// isServed reports whether an object is one of those, or a copy that a restore has made.
func (o object) isServed() bool {
	return o.kind == buckets && o.Name == sharedBucket || o.kind == functions && slices.Contains(servedFunctions, o.Name)
}

// backendConfiguration is that of all of these in a killed run, each where it needs another.
func (k *killed) backendConfiguration(version int) string {
	place := fmt.Sprintf("project_id = %q\n  branch_id = %q", k.platform.ProjectID, k.platform.BranchID)
	const inFunction = "project_id = neon_function.api.project_id\n  branch_id = neon_function.api.branch_id\n  function_slug = neon_function.api.slug"
	return fmt.Sprintf(`
resource "neon_service_credential" "app" {
  %[1]s
  name              = %[2]q
  scopes            = ["storage:read"]
  rotation_triggers = { version = "%[3]d" }
}
resource "neon_bucket" "files" {
  %[1]s
  name          = %[2]q
  force_destroy = true
}
resource "neon_bucket_object" "page" {
  project_id  = neon_bucket.files.project_id
  branch_id   = neon_bucket.files.branch_id
  bucket_name = neon_bucket.files.name
  key         = "%[2]s-page"
  source      = "v%[3]d.zip"
}
resource "neon_function" "api" {
  %[1]s
  slug        = %[4]q
  source      = "v%[3]d.zip"
  environment = { VERSION = "%[3]d" }
}
resource "neon_trigger" "nightly" {
  %[5]s
  name     = %[2]q
  enabled  = %[3]d == 0
  schedule = { cron = "0 3 * * *" }
}
resource "neon_custom_domain" "api" {
  %[5]s
  domain = "%[2]s.example.com"
}
`, place, k.name, version, slugOf(k.name), inFunction)
}
