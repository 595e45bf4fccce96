package emulator

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	functionsPath = branchPath + "/functions"
	functionPath  = functionsPath + "/{slug}"
)

var functionRoutes = []route{
	{"GET " + functionsPath, forProject, (*Emulator).listFunctions},
	{"GET " + functionPath, forProject, tellsOf((*Emulator).function, "function", (*Emulator).functionView)},
	{"PATCH " + functionPath, forProject,
		checked(aboutWithBody((*Emulator).function, (*Emulator).updateFunction), (*Emulator).isFree)},
	{"DELETE " + functionPath, forProject, about((*Emulator).function, whenFree((*Emulator).deleteFunction))},
	{"POST " + functionPath + deployments, forProject, checked((*Emulator).deployFunction, (*Emulator).isFree)},
}

func (d *deployment) view(now time.Time) object {
	if d == nil {
		return nil
	}
	view := object{
		"id": d.ID, "status": "completed", "memory_mib": 2048, "runtime": d.Runtime, "created_at": wire.Seconds(d.CreatedAt),
		"environment": d.Names,
	}
	switch {
	case now.Before(d.EndsAt):
		view["status"] = "building"
	case d.Error != "":
		view["status"], view["error"] = "failed", d.Error
	}
	return view
}

// active is the deployment that requests would go to.
func (f *function) active(now time.Time) *deployment {
	if f.Current != nil && f.Current.Error == "" && !now.Before(f.Current.EndsAt) {
		return f.Current
	}
	return f.Active
}

func (e *Emulator) functionView(c *call, f *function) object {
	view := object{"id": f.ID, "slug": f.Slug, "name": f.Name, "invocation_url": "",
		"created_at": wire.Seconds(f.CreatedAt)}
	view["current_deployment"], view["active_deployment"] = f.Current.view(c.now), f.active(c.now).view(c.now)
	if f.active(c.now) != nil && e.plays(doubts.FunctionAddress, "given") {
		view["invocation_url"] = e.serviceURL(c, c.branch.ID+"-"+f.Slug, "compute") + "/"
	}
	return unlessEmpty(view, "current_deployment", "active_deployment")
}

// inherited is a branch's in a branch of it.
func (f *function) inherited() *function {
	copied := *f
	copied.IsInherited, copied.Environment = true, maps.Clone(f.Environment)
	return &copied
}

// inheritance is what a branch of a branch has of it until it has its own.
type inheritance[T any] interface {
	comparable
	inherited() T
}

// remove is without, for what a branch has by itself or from its parent: what the parent has comes to light once the
// branch's own is deleted.
func remove[T inheritance[T]](e *Emulator, c *call, all []T, gone T, wasInherited bool, ofParent func(*branch) T) []T {
	all = without(all, gone)
	parent, none := c.project.Branches[c.branch.ParentID], *new(T)
	if parent == nil || wasInherited || ofParent(parent) == none || e.plays(doubts.DeletedOnChild, "gone") {
		return all
	}
	return append(all, ofParent(parent).inherited())
}

// own makes a branch that has no parent the owner of what it has from a snapshot.
func (b *branch) own() {
	for _, f := range b.Functions {
		f.IsInherited = false
	}
	for _, t := range b.Triggers {
		t.IsInherited = false
	}
	for _, within := range b.Buckets {
		within.IsInherited = false
		for _, o := range within.Objects {
			o.IsInherited = false
		}
	}
}

func (e *Emulator) function(c *call) (*function, error) {
	return named(c, c.branch.Functions, "slug", func(f *function) string { return f.Slug }, "function not visible "+
		"on branch")
}

func (e *Emulator) listFunctions(c *call) (reply, error) {
	functions, pagination := pageOf(c, c.branch.Functions, func(f *function) string { return f.Slug })
	views := viewsOf(functions, func(f *function) object { return e.functionView(c, f) })
	return ok(map[string]any{"functions": views, "pagination": pagination})
}

// pageOf is what a list's limit and cursor ask for, in the order of names, of which the cursor is the last.
func pageOf[T any](c *call, all []T, name func(T) string) (found []T, pagination map[string]string) {
	limit := c.queryInt("limit", 1000, 1, 1000)
	after := c.query("cursor")
	found = slices.DeleteFunc(slices.Clone(all), func(one T) bool { return name(one) <= after })
	slices.SortFunc(found, func(x, y T) int { return strings.Compare(name(x), name(y)) })
	pagination = map[string]string{}
	if len(found) > limit {
		found = found[:limit]
		pagination["next"] = name(found[limit-1])
	}
	return found, pagination
}

func (e *Emulator) updateFunction(c *call, f *function, body struct {
	Name *string `json:"name" fits:"required,1..256,null"`
}) (reply, error) {
	switch {
	case body.Name != nil && strings.TrimSpace(*body.Name) == "":
		return reply{}, wire.BadRequest("invalid request: name must not be blank")
	case f.IsInherited:
		return reply{}, wire.NotFound("function not visible on branch")
	}
	f.Name = f.Slug
	if body.Name != nil {
		f.Name = strings.TrimSpace(*body.Name)
	}
	return ok(map[string]any{"function": e.functionView(c, f)})
}

// deleteFunction answers DELETE .../functions/{slug}. Its domains stay.
func (e *Emulator) deleteFunction(c *call, f *function) (reply, error) {
	c.branch.Functions = remove(e, c, c.branch.Functions, f, f.IsInherited,
		func(parent *branch) *function { return parent.function(f.Slug) })
	return alreadyGone()
}

// deployBody is a multipart form.
type deployBody struct {
	bundle      []byte
	runtime     string
	environment map[string]string
}

func (c *call) deployBody() (body deployBody, err error) {
	reader, err := (&http.Request{Header: c.Header, Body: io.NopCloser(bytes.NewReader(c.body))}).MultipartReader()
	var form *multipart.Form
	if err == nil {
		form, err = reader.ReadForm(largestDeployment)
	}
	if err != nil {
		return body, wire.BadRequest("invalid request: decode multipart/form-data: %v", err)
	}
	for _, file := range form.File["zip"] {
		opened, err := file.Open()
		if err == nil {
			body.bundle, err = io.ReadAll(opened)
		}
		if err != nil {
			return body, wire.BadRequest("invalid request: decode multipart/form-data: %v", err)
		}
	}
	for _, runtime := range form.Value["runtime"] {
		if body.runtime = runtime; runtime != "nodejs24" {
			return body, wire.BadRequest("invalid request: runtime must be nodejs24")
		}
	}
	for _, environment := range form.Value["environment"] {
		if json.Unmarshal([]byte(environment), &body.environment) != nil {
			return body, wire.BadRequest("invalid request: environment must be a JSON object of strings")
		}
	}
	if body.bundle == nil && body.runtime == "" && body.environment == nil {
		return body, wire.BadRequest("at least one of zip, runtime and environment is required")
	}
	return body, nil
}

// check refuses variables that can't be.
func (body deployBody) check(areReserved bool) error {
	size := 0
	for name, value := range body.environment {
		if areReserved && strings.HasPrefix(name, "NEON_") {
			return wire.BadRequest("environment variable names starting with NEON_ are reserved; name:%q", name)
		}
		size += len(name) + len(value)
	}
	if len(body.environment) > 1000 || size > 64<<10 {
		return wire.BadRequest("too many environment variables")
	}
	return nil
}

// deployFunction answers POST .../functions/{slug}/deployments, and makes the function at first.
func (e *Emulator) deployFunction(c *call) (reply, error) {
	b := c.branch
	body, err := c.deployBody()
	if err == nil {
		err = body.check(e.plays(doubts.NeonVariables, "refused"))
	}
	slug := c.PathValue("slug")
	f := b.function(slug)
	switch {
	case err != nil:
		return reply{}, err
	case !wire.FunctionPattern.MatchString(slug):
		return reply{}, badPath("slug", "must match "+wire.FunctionPattern.String())
	case f == nil && body.bundle == nil:
		return reply{}, wire.BadRequest("the first deployment needs a zip")
	}
	if f == nil {
		f = &function{ID: "fn-" + wire.NewUUID(), Slug: slug, Name: slug, CreatedAt: c.now, Environment: map[string]string{}}
		b.Functions = append(b.Functions, f)
	}
	beginsAnew := f.IsInherited && e.plays(doubts.FunctionOfChild, "new")
	if beginsAnew {
		f.ID, f.CreatedAt, f.Deployed = "fn-"+wire.NewUUID(), c.now, 0
	}
	made := f.deploy(body, c.now, c.now.Add(e.config.OperationDuration))
	if beginsAnew {
		f.Active = nil
	}
	return created(map[string]any{"deployment": made.view(c.now)})
}

func (f *function) deploy(body deployBody, now, ends time.Time) *deployment {
	f.Active, f.IsInherited = f.active(now), false
	for name, value := range body.environment {
		if f.Environment[name] = value; value == "" {
			delete(f.Environment, name)
		}
	}
	f.Deployed++
	made := &deployment{ID: f.Deployed, Runtime: cmp.Or(body.runtime, "nodejs24"), CreatedAt: now, EndsAt: ends,
		Names: slices.Sorted(maps.Keys(f.Environment))}
	if made.Names == nil {
		made.Names = []string{}
	}
	if body.bundle != nil {
		made.Bundle, made.Error = hashText(body.bundle), bundleProblem(body.bundle)
	} else if f.Current != nil {
		made.Bundle, made.Error = f.Current.Bundle, f.Current.Error
	}
	f.Current = made
	return made
}

// bundleProblem is why a bundle can't be built, empty where it can.
func bundleProblem(bundle []byte) string {
	archive, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		return "the bundle is not a zip archive"
	}
	isEntry := func(file *zip.File) bool { return file.Name == "index.mjs" || file.Name == "index.js" }
	if !slices.ContainsFunc(archive.File, isEntry) {
		return "the bundle has no index.mjs or index.js at its root"
	}
	return ""
}

// shownFunctions are those that are the branch's own on the control path, and all on the page.
var shownFunctions = shownOnBranches("functions", "Functions", func(b *branch) []*function { return b.Functions },
	func(f *function) object {
		if f.IsInherited {
			return nil
		}
		return object{
			"id": f.Slug, "name": f.Slug, "title": f.Name, "deployments": f.Deployed, "environment": f.Environment,
			"bundle": f.Current.Bundle,
		}
	}, (*function).item)

func (f *function) item() page.Item {
	variables := ""
	if len(f.Environment) > 0 {
		variables = "variables " + strings.Join(slices.Sorted(maps.Keys(f.Environment)), ", ")
	}
	return page.Item{Name: f.Slug, Detail: details(inherited(f.IsInherited), count(f.Deployed, "deployment"), variables)}
}
