package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"time"
)

// Function is code that Neon runs for requests to an address of its own.
type Function struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	// Name is the slug where it has no other.
	Name string `json:"name"`
	// InvocationURL is empty while no deployment has succeeded.
	InvocationURL string `json:"invocation_url"`
	// Current is the newest deployment, and Active the newest that has succeeded; nil for none.
	Current *Deployment `json:"current_deployment"`
	Active  *Deployment `json:"active_deployment"`
	// CreatedAt stays when it is deployed again.
	CreatedAt time.Time `json:"created_at"`
}

// Deployment is a version of a function. Neon returns the names of its variables alone.
type Deployment struct {
	ID        int64     `json:"id"` // rises with each deployment of the function
	CreatedAt time.Time `json:"created_at"`
	// Status is an open set: "pending", "building", "completed" or "failed".
	Status      string   `json:"status"`
	Runtime     string   `json:"runtime"`
	Environment []string `json:"environment"`
	Error       string   `json:"error"` // of one that failed
}

const (
	deploymentFailed = "failed"
	// deploymentLook is the pause between two looks at a deployment.
	deploymentLook = 2 * time.Second
)

var functionKind = kind[Function]{
	noun: "function", route: "/projects/{project_id}/branches/{branch_id}/functions", one: "/{slug}", isRead: true,
	isNamed: true, field: "functions", object: "function", isPaged: true, few: fewReads,
	id: func(function Function) string { return function.Slug },
}

var deploymentKind = kind[Deployment]{noun: "deployment", object: "deployment", id: func(deployment Deployment) string {
	return numberID(deployment.ID)
}}

// FunctionDeploy describes a deployment. What is empty stays as it was in the one before.
type FunctionDeploy struct {
	// Bundle is a ZIP archive, which a new function needs.
	Bundle  []byte
	Runtime string
	// Environment are variables to set; an empty value removes one.
	Environment map[string]string
}

// encodedForm is a body that isn't JSON. It may hold secrets, and no log has it.
type encodedForm struct {
	contentType string
	data        []byte
}

// MarshalJSON returns what logs show in place of the content.
func (f encodedForm) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "\"a form of %d bytes\"", len(f.data)), nil
}

// form returns the request's body. Writing to a buffer has no errors.
func (d FunctionDeploy) form() encodedForm {
	var data bytes.Buffer
	form := multipart.NewWriter(&data)
	if d.Bundle != nil {
		part, _ := form.CreateFormFile("zip", "function.zip")
		_, _ = part.Write(d.Bundle)
	}
	if d.Runtime != "" {
		_ = form.WriteField("runtime", d.Runtime)
	}
	if d.Environment != nil {
		environment, _ := json.Marshal(d.Environment) // Texts always encode.
		_ = form.WriteField("environment", string(environment))
	}
	_ = form.Close()
	return encodedForm{form.FormDataContentType(), data.Bytes()}
}

// mayBe reports whether a deployment is as requested, as far as Neon returns it.
func (d FunctionDeploy) mayBe(deployment *Deployment) bool {
	for name, value := range d.Environment {
		if deployment.Environment != nil && slices.Contains(deployment.Environment, name) != (value != "") {
			return false
		}
	}
	return d.Runtime == "" || deployment.Runtime == "" || deployment.Runtime == d.Runtime
}

// CreateFunction deploys the first version of a function. If the branch inherits one of that slug, that becomes its
// own, with these variables alone. The error is ErrTaken if the branch has its own already.
// POST /projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments: https://api-docs.neon.tech/reference/createprojectbranchfunctiondeployment
func (c *Client) CreateFunction(
	ctx context.Context, branch BranchRef, slug string, deploy FunctionDeploy,
) (*Function, error) {
	request := functionKind.of(http.MethodPost, "/deployments", branch.ProjectID, branch.ID, slug)
	leave, err := c.creations.turn(ctx, request, request.path())
	if err != nil {
		return nil, err
	}
	defer leave()
	isSame := func(function Function) bool { return function.Slug == slug }
	present, err := creation[Function]{
		kind: functionKind, listing: functionKind.listCall(branch.ProjectID, branch.ID), meets: functionKind.taken,
		isAlike: isSame,
	}.listBefore(ctx, c)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(present, isSame) {
		return c.DeployFunction(ctx, branch, &Function{Slug: slug}, deploy)
	}
	before, err := c.GetFunction(ctx, branch, slug)
	if err != nil {
		return nil, err
	}
	isInherited, err := c.IsFunctionInherited(ctx, branch, before)
	switch {
	case err != nil:
		return nil, err
	case !isInherited:
		return nil, ErrTaken
	}
	Say(ctx, "The branch has function %s from its parent. This deployment makes it the branch's own.", slug)
	deploy.Environment = maps.Clone(deploy.Environment)
	for _, name := range before.Current.Others(slices.Collect(maps.Keys(deploy.Environment))) {
		if deploy.Environment == nil {
			deploy.Environment = map[string]string{}
		}
		deploy.Environment[name] = ""
	}
	return c.DeployFunction(ctx, branch, before, deploy)
}

// DeployFunction deploys a version of a function. Before is the function as just read, or its slug alone if it is new.
// POST /projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments: https://api-docs.neon.tech/reference/createprojectbranchfunctiondeployment
func (c *Client) DeployFunction(
	ctx context.Context, branch BranchRef, before *Function, deploy FunctionDeploy,
) (*Function, error) {
	if deploy.Runtime == "" && deploy.Bundle == nil && deploy.Environment == nil && before.Current != nil {
		deploy.Runtime = before.Current.Runtime // Something has to be sent.
	}
	slug := before.Slug
	request := functionKind.of(http.MethodPost, "/deployments", branch.ProjectID, branch.ID, slug)
	request.subject, request.body = fmt.Sprintf("a deployment of function %s on branch %s", slug, branch.ID), deploy.form()
	request.by = replacing(functionKind.named(request.params...).path)
	made, err := writeOnce(ctx, c, request,
		func() (*Answer[Deployment], error) { return deploymentKind.receive(ctx, c, request) },
		func(ctx context.Context) (*Answer[Deployment], error) {
			now, err := present(c.GetFunction(ctx, branch, slug))
			if now == nil || !now.isSince(before) || !deploy.mayBe(now.Current) {
				return nil, err
			}
			return &Answer[Deployment]{Object: *now.Current}, err
		})
	if err != nil {
		return nil, err
	}
	return &Function{Slug: slug, Name: slug, Current: &made.Object}, nil
}

// isSince reports whether a function was deployed after before was read. If before was the parent's function, which has
// another id and counts its own deployments, any deployment is new.
func (f *Function) isSince(before *Function) bool {
	if f.ID == before.ID || before.ID == "" {
		return f.deployed() > before.deployed()
	}
	return f.Current != nil
}

// is reports whether both are the same deployment. A branch and its parent have different ones of the same id.
func (d *Deployment) is(other *Deployment) bool {
	if d == nil || other == nil {
		return d == other
	}
	return d.ID == other.ID && d.CreatedAt.Equal(other.CreatedAt)
}

// HasFailed reports whether Neon could not build it.
func (d *Deployment) HasFailed() bool { return d.Status == deploymentFailed }

// deployed is the id of the newest deployment; 0 for none.
func (f *Function) deployed() int64 {
	if f.Current == nil {
		return 0
	}
	return f.Current.ID
}

// DeploymentError is a deployment that Neon could not build.
type DeploymentError struct {
	Slug       string
	Deployment Deployment
	// After is the deployment that was awaited, where another one followed that failed; 0 for the awaited one itself.
	After int64
}

func (e *DeploymentError) Error() string {
	if e.After != 0 {
		return fmt.Sprintf("deployment %d of function %s was followed by deployment %d, which something else ordered and "+
			"which failed: %s. What became of deployment %d isn't known", e.After, e.Slug, e.Deployment.ID, e.Deployment.Error,
			e.After)
	}
	return fmt.Sprintf("deployment %d of function %s failed: %s", e.Deployment.ID, e.Slug, e.Deployment.Error)
}

// WaitForDeployment waits until a deployment of a function, or one after it, has succeeded.
// GET /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/getprojectbranchfunction
func (c *Client) WaitForDeployment(
	ctx context.Context, branch BranchRef, slug string, id int64,
) (now *Function, err error) {
	Say(ctx, "Waiting until deployment %d of function %s is built.", id, slug)
	waiting := func() WaitError {
		return WaitError{For: fmt.Sprintf("deployment %d of function %s to be built", id, slug)}
	}
	pause := func(waited time.Duration) time.Duration { return min(max(waited, firstBackoff), deploymentLook) }
	err = c.poll(ctx, waiting, pause, func() (bool, error) {
		read, err := c.GetFunction(ctx, branch, slug)
		if err != nil {
			return false, err
		}
		now = read
		if now.Current != nil {
			now.Current.Error = c.apiKey.maskText(now.Current.Error)
		}
		switch {
		case now.Active != nil && now.Active.ID >= id:
			return true, nil
		case now.deployed() == id && now.Current.HasFailed():
			return true, &DeploymentError{Slug: slug, Deployment: *now.Current}
		case now.deployed() > id && now.Current.HasFailed():
			return true, &DeploymentError{Slug: slug, Deployment: *now.Current, After: id}
		}
		return false, nil
	})
	return now, err
}

// GetFunction is GetSharedFunction by a request of its own.
// GET /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/getprojectbranchfunction
func (c *Client) GetFunction(ctx context.Context, branch BranchRef, slug string) (*Function, error) {
	return functionKind.read(ctx, c, branch.ProjectID, branch.ID, slug)
}

// GetSharedFunction reads one function.
// GET /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/getprojectbranchfunction
// GET /projects/{project_id}/branches/{branch_id}/functions: https://api-docs.neon.tech/reference/listprojectbranchfunctions
func (c *Client) GetSharedFunction(ctx context.Context, branch BranchRef, slug string) (*Function, error) {
	return functionKind.shared(ctx, c, branch.ProjectID, branch.ID, slug)
}

// ListFunctions lists the functions of a branch, inherited ones too.
// GET /projects/{project_id}/branches/{branch_id}/functions: https://api-docs.neon.tech/reference/listprojectbranchfunctions
func (c *Client) ListFunctions(ctx context.Context, branch BranchRef) iter.Seq2[Function, error] {
	return functionKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// RenameFunction changes the name; empty makes it the slug again.
// PATCH /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/updateprojectbranchfunction
func (c *Client) RenameFunction(ctx context.Context, branch BranchRef, slug, name string) error {
	request := functionKind.of(http.MethodPatch, "", branch.ProjectID, branch.ID, slug)
	request.subject, request.body = "the name of function "+slug, map[string]any{"name": nil}
	if name != "" {
		request.body = map[string]any{"name": name}
	}
	return c.settle(ctx, request, functionKind.object, nil)
}

// DeleteFunction deletes a function. Its custom domains stay.
// DELETE /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/deleteprojectbranchfunction
func (c *Client) DeleteFunction(ctx context.Context, branch BranchRef, slug string) error {
	return functionKind.end(ctx, c, branch.ProjectID, branch.ID, slug)
}

// Others returns the names of the deployment's variables without those.
func (d *Deployment) Others(those []string) (others []string) {
	if d == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Environment), func(name string) bool { return slices.Contains(those, name) })
}
