package conformance

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// talk is our client in a world whose every request and answer is checked.
type talk struct {
	*client.Client
	t     *testing.T
	world emulator.World
}

func newTalk(t *testing.T) (*talk, *checker) {
	t.Helper()
	e, err := emulator.New(emulator.Config{OperationDuration: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	checked := newChecker(t, e, true)
	world := e.FirstWorld()
	api, err := client.New(client.Config{BaseURL: checked.start(), APIKey: world.APIKey, MaxRetries: 3})
	if err != nil {
		t.Fatal(err)
	}
	return &talk{api, t, world}, checked
}

func in(project, branch string) client.BranchRef {
	return client.BranchRef{ProjectID: project, ID: branch}
}

func (c *talk) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// settle waits for what a write has begun.
func (c *talk) settle(operations []client.Operation, err error) {
	c.t.Helper()
	c.must(err)
	c.must(c.WaitForOperations(c.t.Context(), c.world.ProjectID, operations))
}

// TestClient leaves out no method that talks to the control API.
func TestClient_methods(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "client_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{ // The APIs for databases without an account.
		"CreateClaimableDatabase": true, "GetClaimableDatabase": true, "CreateClaimableProject": true,
		"GetClaimableCredentials": true,
		"GetClaimableClaimState":  true, "CreateClaimLink": true, "DeleteClaimableProject": true,
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			called[selector.Sel.Name] = true
		}
		return true
	})
	talks := reflect.TypeFor[context.Context]()
	for method := range reflect.TypeFor[*client.Client]().Methods() {
		if method.Type.NumIn() > 1 && method.Type.In(1) == talks && !called[method.Name] {
			t.Errorf("%s isn't called", method.Name)
		}
	}
}

// Every request that the client can send conforms, and so does what the emulator
// answers.
func TestClient(t *testing.T) {
	t.Parallel()
	c, checked := newTalk(t)
	c.keys()
	c.branches()
	c.works()
	c.rolesAndDatabases()
	c.permissions()
	c.jwks()
	c.dataAPIs()
	c.auth()
	c.credentials()
	c.storage()
	c.functions()
	c.schemas()
	c.snapshots()
	c.anonymized()
	c.networks()
	c.money()
	c.members()
	c.projects()
	c.reads()
	for route := range clientRoutes(t) {
		if checked.served[route] == 0 {
			t.Errorf("%s was not called", route)
		}
	}
}

var (
	clientFiles = filepath.Join("..", "client", "*.go")
	// calledRoute is what the comment of a method of the client ends with: the call of the control API, and its reference.
	calledRoute = regexp.MustCompile(`(?m)^// ([A-Z]+ /\S+): https://api-docs\.neon\.tech/reference/`)
)

// clientRoutes are what the client can call of the control API. TestCalls of the client holds the comments against what
// is
// sent.
func clientRoutes(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(clientFiles)
	if err != nil {
		t.Fatal(err)
	}
	routes := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calledRoute.FindAllStringSubmatch(string(text), -1) {
			routes[call[1]] = true
		}
	}
	if len(routes) < 90 {
		t.Fatalf("%s name %d routes", clientFiles, len(routes))
	}
	return routes
}

func (c *talk) organizations() {
	c.t.Helper()
	ctx := c.t.Context()
	_, err := c.GetCurrentUser(ctx)
	c.must(err)
	_, err = client.All(c.ListOrganizations(ctx))
	c.must(err)
	_, err = c.GetOrganization(ctx, c.world.OrgID)
	c.must(err)
	for _, err := range c.ListMembers(ctx, c.world.OrgID) {
		c.must(err)
	}
}

func (c *talk) keys() {
	c.t.Helper()
	ctx := c.t.Context()
	for _, scope := range []client.APIKeyScope{
		{}, {OrgID: c.world.OrgID}, {OrgID: c.world.OrgID, ProjectID: c.world.ProjectID},
	} {
		made, err := client.ObjectOf(c.CreateAPIKey(ctx, scope, "made"))
		c.must(err)
		_, err = client.All(c.ListAPIKeys(ctx, scope))
		c.must(err)
		_, err = c.GetSharedAPIKey(ctx, scope, made.ID)
		c.must(err)
		c.must(c.RevokeAPIKey(ctx, scope, made.ID))
	}
}

func (c *talk) branches() {
	c.t.Helper()
	ctx, project, yes, no := c.t.Context(), c.world.ProjectID, true, false
	least, most, suspend, expiry, name := 0.25, 1.0, int64(300), time.Now().Add(48*time.Hour), "renamed"
	moment := time.Now().Add(-time.Minute)
	settings := client.EndpointSettings{AutoscalingLimitMinCU: &least, AutoscalingLimitMaxCU: &most,
		SuspendTimeoutSeconds: &suspend}
	made, err := c.CreateBranch(ctx, project, client.BranchCreate{
		Name: "made", ParentID: c.world.BranchID, ParentTimestamp: &moment, InitSource: "parent-data", Protected: &no,
		ExpiresAt:   &expiry,
		Annotations: map[string]string{"a": "b"}, Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite,
			EndpointSettings: settings}},
	})
	c.must(err)
	c.settle(made.Operations, nil)
	c.settle(client.OperationsOf(c.UpdateBranch(ctx, in(project, made.Object.ID),
		client.BranchUpdate{Name: &name, RemoveExpiry: true})))
	c.settle(client.OperationsOf(c.UpdateBranch(ctx, in(project, made.Object.ID), client.BranchUpdate{Protected: &yes})))
	c.settle(client.OperationsOf(c.UpdateBranch(ctx, in(project, made.Object.ID),
		client.BranchUpdate{Protected: &no, ExpiresAt: &expiry})))
	_, err = c.GetBranch(ctx, in(project, made.Object.ID))
	c.must(err)
	_, err = client.All(c.ListEndpoints(ctx, in(project, made.Object.ID)))
	c.must(err)
	reader, err := c.CreateEndpoint(ctx, in(project, made.Object.ID), client.EndpointCreate{
		Type: client.EndpointReadOnly, Name: "reader", Disabled: &yes, EndpointSettings: settings,
	})
	c.must(err)
	endpoint := reader.Object
	c.settle(reader.Operations, nil)
	settings.Postgres = &client.PostgresSettings{
		PgSettings:       map[string]string{"log_statement": "ddl"},
		PreloadLibraries: &client.PreloadLibraries{EnabledLibraries: []string{"anon"}},
	}
	c.settle(client.OperationsOf(c.UpdateEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint.ID},
		client.EndpointUpdate{
			EndpointSettings: settings, Name: &name, Disabled: &no,
		})))
	_, err = c.GetSharedEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint.ID})
	c.must(err)
	_, err = c.GetEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint.ID})
	c.must(err)
	c.settle(c.DeleteEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint.ID}))
	_, err = c.GetOperation(ctx, client.Ref[client.Operation]{ProjectID: project, ID: made.Operations[0].ID})
	c.must(err)
	for _, id := range []string{c.world.BranchID, "br-not-there-a1b2c3d4"} {
		if _, err := c.GetSharedBranch(ctx, in(project, id)); err != nil && !client.IsAbsent(err) {
			c.t.Error(err)
		}
	}
	c.settle(c.DeleteBranch(ctx, in(project, made.Object.ID)))
	if _, err := c.DeleteBranch(ctx, in(project, c.world.BranchID)); !client.HasStatus(err,
		http.StatusUnprocessableEntity) {
		c.t.Errorf("the default branch is deleted: %v", err)
	}
}

// works does what the actions do.
func (c *talk) works() {
	c.t.Helper()
	ctx, project, main := c.t.Context(), c.world.ProjectID, c.world.BranchID
	made, err := c.CreateBranch(ctx, project, client.BranchCreate{
		Name: "worked-on", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	c.must(err)
	c.settle(made.Operations, nil)
	branch, endpoint, moment := made.Object.ID, made.Object.Endpoints[0].ID, time.Now().Add(-time.Minute)
	c.settle(client.OperationsOf(c.SuspendEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint})))
	c.settle(client.OperationsOf(c.StartEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint})))
	c.settle(client.OperationsOf(c.RestartEndpoint(ctx, client.EndpointRef{ProjectID: project, ID: endpoint})))
	c.settle(client.OperationsOf(c.RestoreBranch(ctx, in(project, branch), client.BranchRestore{SourceID: main})))
	c.settle(client.OperationsOf(c.RestoreBranch(ctx, in(project, branch), client.BranchRestore{
		SourceID: branch, Timestamp: &moment, PreserveUnderName: "before",
	})))
	for _, id := range []string{branch, main} {
		c.settle(client.OperationsOf(c.SetDefaultBranch(ctx, in(project, id))))
	}
}

func (c *talk) rolesAndDatabases() {
	c.t.Helper()
	ctx, project, branch, name, owner := c.t.Context(), c.world.ProjectID, c.world.BranchID, "renamed", c.world.RoleName
	c.settle(client.OperationsOf(c.CreateRole(ctx, in(project, branch), client.RoleCreate{Name: "group", NoLogin: true})))
	c.settle(client.OperationsOf(c.CreateRole(ctx, in(project, branch), client.RoleCreate{Name: "app"})))
	c.settle(client.OperationsOf(c.ResetRolePassword(ctx, in(project, branch), "app")))
	_, err := c.GetRolePassword(ctx, in(project, branch), "app")
	c.must(err)
	_, err = client.All(c.ListRoles(ctx, in(project, branch)))
	c.must(err)
	made, err := c.CreateDatabase(ctx, in(project, branch), client.DatabaseCreate{Name: "made", OwnerName: "app"})
	c.settle(made.Operations, err)
	c.settle(client.OperationsOf(c.UpdateDatabase(ctx, in(project, branch), "made", made.Object.ID,
		client.DatabaseUpdate{Name: &name, OwnerName: &owner})))
	_, err = client.All(c.ListDatabases(ctx, in(project, branch)))
	c.must(err)
	_, err = c.GetDatabase(ctx, in(project, branch), "made", made.Object.ID)
	c.must(err)
	c.settle(c.DeleteDatabase(ctx, in(project, branch), name))
	c.settle(c.DeleteRole(ctx, in(project, branch), "app"))
	_, roleErr := c.GetSharedRole(ctx, in(project, branch), "app")
	_, databaseErr := c.GetSharedDatabase(ctx, in(project, branch), name, made.Object.ID)
	if !client.IsAbsent(roleErr) || !client.IsAbsent(databaseErr) {
		c.t.Errorf("after their deletion: %v, %v", roleErr, databaseErr)
	}
}

func (c *talk) permissions() {
	c.t.Helper()
	ctx, project := c.t.Context(), c.world.ProjectID
	granted, err := c.GrantProjectPermission(ctx, project, "anna@example.com")
	c.must(err)
	_, err = client.All(c.ListProjectPermissions(ctx, project))
	c.must(err)
	_, err = c.GetSharedProjectPermission(ctx, client.Ref[client.ProjectPermission]{ProjectID: project, ID: granted.ID})
	c.must(err)
	c.must(c.RevokeProjectPermission(ctx, client.Ref[client.ProjectPermission]{ProjectID: project, ID: granted.ID}))
	if _, err := c.GetSharedProjectPermission(ctx, client.Ref[client.ProjectPermission]{ProjectID: project,
		ID: granted.ID}); !client.IsAbsent(err) {
		c.t.Errorf("after it was revoked: %v", err)
	}
}

func (c *talk) jwks() {
	c.t.Helper()
	ctx, project := c.t.Context(), c.world.ProjectID
	added, err := c.CreateJWKS(ctx, project, client.JWKSAdd{
		URL: "https://example.com/.well-known/jwks.json", ProviderName: "Example", BranchID: c.world.BranchID,
		Audience: "shop", RoleNames: []string{"app"},
	})
	c.must(err)
	c.settle(added.Operations, nil)
	_, err = client.All(c.ListJWKS(ctx, project))
	c.must(err)
	_, err = c.GetSharedJWKS(ctx, client.Ref[client.JWKS]{ProjectID: project, ID: added.Object.ID})
	c.must(err)
	c.must(c.DeleteJWKS(ctx, client.Ref[client.JWKS]{ProjectID: project, ID: added.Object.ID}))
	if _, err := c.GetSharedJWKS(ctx, client.Ref[client.JWKS]{ProjectID: project,
		ID: added.Object.ID}); !client.IsAbsent(err) {
		c.t.Errorf("after its deletion: %v", err)
	}
}

func (c *talk) dataAPIs() {
	c.t.Helper()
	ctx, project, branch, database, rows := c.t.Context(), c.world.ProjectID, c.world.BranchID, c.world.DatabaseName,
		int64(5)
	_, err := c.CreateDataAPI(ctx, in(project, branch), database, client.DataAPICreate{
		AuthProvider: "external", JWKSURL: "https://example.com/jwks.json", ProviderName: "Example", JWTAudience: "shop",
		AddDefaultGrants: true, SkipAuthSchema: true, Settings: client.DataAPISettings{Schemas: []string{"public"}},
	})
	c.must(err)
	_, err = c.GetDataAPI(ctx, in(project, branch), database)
	c.must(err)
	for _, err := range c.ListDataAPIs(ctx, in(project, branch)) {
		c.must(err)
	}
	c.must(c.UpdateDataAPI(ctx, in(project, branch), database, client.DataAPISettings{MaxRows: &rows},
		client.DataAPISettings{}))
	c.must(c.RefreshDataAPISchema(ctx, in(project, branch), database))
	c.must(c.DeleteDataAPI(ctx, in(project, branch), database))
	if _, err := c.GetDataAPI(ctx, in(project, branch), database); !client.IsAbsent(err) {
		c.t.Errorf("after its deletion: %v", err)
	}
}

func (c *talk) auth() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	enabled, err := c.EnableAuth(ctx, in(project, branch),
		client.AuthEnable{Provider: "better_auth", DatabaseName: c.world.DatabaseName})
	c.must(err)
	_, err = c.GetAuth(ctx, in(project, branch))
	c.must(err)
	c.must(c.AllowAuthLocalhost(ctx, in(project, branch), true))
	for group, settings := range map[client.AuthGroup]map[string]any{
		client.AuthEmailAndPassword: {"enabled": true}, client.AuthMagicLink: {"enabled": true}, client.AuthPhoneNumber: {"enabled": true},
		client.AuthOrganization: {"enabled": true}, client.AuthWebhook: {"enabled": false},
		client.AuthEmailProvider: {"type": "standard", "host": "smtp.example.com", "port": 465, "username": "u", "password": "p", "sender_email": "a@example.com", "sender_name": "n"},
	} {
		c.must(c.SetAuthGroup(ctx, in(project, branch), group, settings))
	}
	_, err = c.GetAuthSettings(ctx, in(project, branch))
	c.must(err)
	c.must(c.SendAuthTestMail(ctx, in(project, branch), "a@example.com"))
	c.must(c.CreateAuthOAuthProvider(ctx, in(project, branch), "github",
		client.AuthOAuthSettings{ClientID: "c", ClientSecret: "s"}))
	c.must(c.UpdateAuthOAuthProvider(ctx, in(project, branch), "github",
		client.AuthOAuthSettings{ClientID: "d", TenantID: "t"}))
	_, err = c.GetSharedAuthOAuthProvider(ctx, in(project, branch), "github")
	c.must(err)
	_, err = c.GetAuthOAuthProvider(ctx, in(project, branch), "github")
	c.must(err)
	for _, err := range c.ListAuthOAuthProviders(ctx, in(project, branch)) {
		c.must(err)
	}
	c.must(c.DeleteAuthOAuthProvider(ctx, in(project, branch), "github"))
	domain := client.AuthDomain{Domain: "https://shop.example.com", Provider: enabled.Provider}
	_, err = c.GetAuthBefore(ctx, in(project, branch))
	c.must(err)
	c.must(c.CreateAuthDomain(ctx, in(project, branch), domain))
	_, err = c.GetSharedAuthDomain(ctx, in(project, branch), domain.Domain)
	c.must(err)
	_, err = c.GetSharedAuthDomain(ctx, in(project, branch), domain.Domain)
	c.must(err)
	for _, err := range c.ListAuthDomains(ctx, in(project, branch)) {
		c.must(err)
	}
	c.must(c.DeleteAuthDomain(ctx, in(project, branch), domain))
	c.must(c.DisableAuth(ctx, in(project, branch), true))
	if _, err := c.GetAuth(ctx, in(project, branch)); !client.IsAbsent(err) {
		c.t.Errorf("after it was disabled: %v", err)
	}
}

func (c *talk) credentials() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	made, err := client.ObjectOf(c.CreateCredential(ctx, in(project, branch),
		client.CredentialCreate{Name: "app", Scopes: []string{"storage:write", "functions:invoke"}}))
	c.must(err)
	before, err := c.RevealCredential(ctx, in(project, branch), made.TokenID)
	c.must(err)
	c.must(c.RotateCredential(ctx, in(project, branch), made.TokenID))
	after, err := c.RevealCredential(ctx, in(project, branch), made.TokenID)
	c.must(err)
	if made.CredentialSecrets != *before || *before == *after {
		c.t.Error("the secrets aren't those of the creation, or the same after the rotation")
	}
	_, err = c.GetSharedCredential(ctx, in(project, branch), made.TokenID)
	c.must(err)
	for _, err := range c.ListCredentials(ctx, in(project, branch)) {
		c.must(err)
	}
	c.must(c.RevokeCredential(ctx, in(project, branch), made.TokenID))
	if _, err := c.GetSharedCredential(ctx, in(project, branch), made.TokenID); !client.IsAbsent(err) {
		c.t.Errorf("after it was revoked: %v", err)
	}
}

func (c *talk) storage() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	_, err := c.GetStorage(ctx, in(project, branch))
	c.must(err)
	_, err = c.GetAIGateway(ctx, in(project, branch))
	c.must(err)
	_, err = c.CreateBucket(ctx, in(project, branch), "uploads", "private")
	c.must(err)
	_, err = c.GetSharedBucket(ctx, in(project, branch), "uploads")
	c.must(err)
	at := client.BucketPlace{Branch: in(project, branch), Bucket: "uploads", Key: "img/logo.svg"}
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("<svg/>")), nil }
	for _, key := range []string{at.Key, "plain"} {
		at.Key = key
		_, err := c.UploadBucketObject(ctx, at, "image/svg+xml", 6, open)
		c.must(err)
	}
	object, err := c.GetSharedBucketObject(ctx, at)
	c.must(err)
	if object.Size != 6 {
		c.t.Errorf("the object has %d bytes", object.Size)
	}
	c.must(c.DeleteBucketObject(ctx, at))
	c.must(c.EmptyBucket(ctx, in(project, branch), "uploads"))
	left, err := c.GetAnyBucketObject(ctx, in(project, branch), "uploads")
	c.must(err)
	if left != nil {
		c.t.Errorf("%s is left", left.Key)
	}
	c.must(c.DeleteBucket(ctx, in(project, branch), "uploads"))
	for bucket, err := range c.ListBuckets(ctx, in(project, branch)) {
		c.must(err)
		c.t.Errorf("%s is left", bucket.Name)
	}
}

// codeBundle is the code of a function.
func codeBundle(t *testing.T) []byte {
	t.Helper()
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	file, err := archive.Create("index.mjs")
	if err == nil {
		_, err = io.WriteString(file, "export default {}")
	}
	if err := errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func (c *talk) functions() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	made, err := c.CreateFunction(ctx, in(project, branch), "api",
		client.FunctionDeploy{Bundle: codeBundle(c.t), Environment: map[string]string{"A": "1"}})
	c.must(err)
	now, err := c.WaitForDeployment(ctx, in(project, branch), "api", made.Current.ID)
	c.must(err)
	made, err = c.DeployFunction(ctx, in(project, branch), now, client.FunctionDeploy{})
	c.must(err)
	now, err = c.WaitForDeployment(ctx, in(project, branch), "api", made.Current.ID)
	c.must(err)
	if now.Current.ID != 2 || len(now.Current.Environment) != 1 || now.InvocationURL == "" {
		c.t.Errorf("deployed again, it is %+v", now)
	}
	for _, name := range []string{"The API", ""} {
		c.must(c.RenameFunction(ctx, in(project, branch), "api", name))
	}
	_, err = c.GetFunction(ctx, in(project, branch), "api")
	c.must(err)
	_, err = c.GetSharedFunction(ctx, in(project, branch), "api")
	c.must(err)
	_, err = client.All(c.ListFunctions(ctx, in(project, branch)))
	c.must(err)
	c.triggers()
	c.domains()
	c.must(c.DeleteFunction(ctx, in(project, branch), "api"))
	if _, err := c.GetFunction(ctx, in(project, branch), "api"); !client.IsAbsent(err) {
		c.t.Errorf("after its deletion: %v", err)
	}
}

// triggers are those of a function.
func (c *talk) triggers() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	for _, spec := range []client.TriggerSpec{
		{Type: "schedule", Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"}},
		{Type: "storage_object_created", Object: &client.TriggerObject{Bucket: "uploads", Prefix: "img/"}},
	} {
		spec.FunctionSlug, spec.Name, spec.Path = "api", spec.Type, "/jobs"
		made, err := c.CreateTrigger(ctx, in(project, branch), spec)
		c.must(err)
		spec.Enabled = true
		c.must(c.UpdateTrigger(ctx, in(project, branch), made.ID, spec))
		changed, err := c.GetSharedTrigger(ctx, in(project, branch), made.ID)
		c.must(err)
		if made.Enabled || !changed.Enabled {
			c.t.Errorf("the trigger was %+v and is %+v", made, changed)
		}
		c.must(c.DeleteTrigger(ctx, in(project, branch), made.ID))
	}
	for trigger, err := range c.ListTriggers(ctx, in(project, branch)) {
		c.must(err)
		c.t.Errorf("%s is left", trigger.Name)
	}
}

// domains are those of a function.
func (c *talk) domains() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	_, err := c.CreateCustomDomain(ctx, in(project, branch), "api.example.com", "api")
	c.must(err)
	found, err := c.GetSharedCustomDomain(ctx, in(project, branch), "api.example.com")
	c.must(err)
	if found.CNAMETarget == "" {
		c.t.Error("the domain has no target")
	}
	c.must(c.DeleteCustomDomain(ctx, in(project, branch), "api.example.com"))
	for domain, err := range c.ListCustomDomains(ctx, in(project, branch)) {
		c.must(err)
		c.t.Errorf("%s is left", domain.Domain)
	}
}

func (c *talk) anonymized() {
	c.t.Helper()
	ctx, project := c.t.Context(), c.world.ProjectID
	rules := []client.MaskingRule{{DatabaseName: c.world.DatabaseName, SchemaName: "public", TableName: "people",
		ColumnName: "email", Function: "anon.fake_email()"}}
	made, err := c.CreateAnonymizedBranch(ctx, project, client.BranchCreate{Name: "masked"}, rules)
	c.must(err)
	c.must(c.WaitForOperations(ctx, project, made.Operations))
	_, err = c.PrepareAnonymization(ctx, in(project, made.Object.ID))
	c.must(err)
	c.must(c.SetMaskingRules(ctx, in(project, made.Object.ID), rules))
	_, err = c.ListMaskingRules(ctx, in(project, made.Object.ID))
	c.must(err)
	c.must(c.Anonymize(ctx, in(project, made.Object.ID), nil))
	_, err = c.GetAnonymization(ctx, in(project, made.Object.ID))
	c.must(err)
	operations, err := c.DeleteBranch(ctx, in(project, made.Object.ID))
	c.must(err)
	c.must(c.WaitForOperations(ctx, project, operations))
}

func (c *talk) snapshots() {
	c.t.Helper()
	ctx, project, moment, expiry, name := c.t.Context(), c.world.ProjectID, time.Now().Add(-time.Minute),
		time.Now().Add(time.Hour), "renamed"
	taken, err := c.CreateSnapshot(ctx, in(project, c.world.BranchID),
		client.SnapshotCreate{Name: "n", Timestamp: &moment, ExpiresAt: &expiry})
	c.must(err)
	c.settle(taken.Operations, nil)
	_, err = client.All(c.ListSnapshots(ctx, project))
	c.must(err)
	_, err = c.UpdateSnapshot(ctx, client.SnapshotRef{ProjectID: project, ID: taken.Object.ID},
		client.SnapshotUpdate{Name: &name, ExpiresAt: &expiry})
	c.must(err)
	_, err = c.UpdateSnapshot(ctx, client.SnapshotRef{ProjectID: project, ID: taken.Object.ID},
		client.SnapshotUpdate{RemoveExpiry: true})
	c.must(err)
	seconds := int64(7200)
	c.must(c.SetBackupSchedule(ctx, in(project, c.world.BranchID),
		[]client.BackupEntry{{Frequency: "daily", Hour: new(int64), RetentionSeconds: &seconds}}))
	_, err = c.GetBackupSchedule(ctx, in(project, c.world.BranchID))
	c.must(err)
	c.must(c.DeleteBackupSchedule(ctx, in(project, c.world.BranchID)))
	restored, err := c.RestoreSnapshot(ctx, client.SnapshotRef{ProjectID: project, ID: taken.Object.ID},
		client.SnapshotRestore{TargetBranchID: c.world.BranchID, Name: "preview"})
	c.settle(restored.Operations, err)
	c.settle(c.FinalizeRestore(ctx, in(project, restored.Object.ID), ""))
	restored, err = c.RestoreSnapshot(ctx, client.SnapshotRef{ProjectID: project, ID: taken.Object.ID},
		client.SnapshotRestore{TargetBranchID: restored.Object.ID, Finalize: true})
	c.settle(restored.Operations, err)
	if succeeds, err := c.Succeeds(ctx, in(project, restored.Object.ID), c.world.BranchID); err != nil || !succeeds {
		c.t.Errorf("after two restores another branch is there: %v", err)
	}
	if all, err := c.ListSuccessors(ctx, in(project, c.world.BranchID)); err != nil ||
		len(all) != 1 || all[0].ID != restored.Object.ID {
		c.t.Errorf("the successors are %v (%v), want %s", all, err, restored.Object.ID)
	}
	if successor, err := c.GetSuccessor(ctx, in(project, c.world.BranchID), restored.Object.Name); err != nil ||
		successor == nil || successor.ID != restored.Object.ID {
		c.t.Errorf("the successor is %v (%v), want %s", successor, err, restored.Object.ID)
	}
	c.world.BranchID = restored.Object.ID
	c.settle(c.DeleteSnapshot(ctx, client.SnapshotRef{ProjectID: project, ID: taken.Object.ID}))
	if _, err := c.GetSharedSnapshot(ctx, client.SnapshotRef{ProjectID: project,
		ID: taken.Object.ID}); !client.IsAbsent(err) {
		c.t.Errorf("after its deletion: %v", err)
	}
}

func (c *talk) networks() {
	c.t.Helper()
	ctx, org, project := c.t.Context(), c.world.OrgID, c.world.ProjectID
	const id = "vpce-1234567890abcdef0"
	private := client.VPCEndpointRef{OrgID: org, RegionID: "aws-us-east-2", ID: id}
	c.must(c.AssignVPCEndpoint(ctx, private, ""))
	c.must(c.AssignVPCEndpoint(ctx, private, "office"))
	c.must(c.CreateVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id}, ""))
	c.must(c.UpdateVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id}, "office"))
	details, err := c.GetVPCEndpointDetails(ctx, private)
	if c.must(err); details.RestrictedProjects != 1 || details.Label != "office" {
		c.t.Errorf("the details are %v", details)
	}
	_, err = client.All(c.ListVPCEndpoints(ctx, org))
	c.must(err)
	for _, err := range c.ListVPCEndpoints(ctx, org) {
		c.must(err)
	}
	_, err = c.GetSharedVPCEndpoint(ctx, private)
	c.must(err)
	_, err = client.All(c.ListVPCEndpointRestrictions(ctx, project))
	c.must(err)
	for _, err := range c.ListVPCEndpointRestrictions(ctx, project) {
		c.must(err)
	}
	_, err = c.GetSharedVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id})
	c.must(err)
	c.must(c.DeleteVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id}))
	c.must(c.DeleteVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id}))
	c.must(c.DeleteVPCEndpoint(ctx, private))
	c.must(c.DeleteVPCEndpoint(ctx, private))
	_, endpointErr := c.GetSharedVPCEndpoint(ctx, private)
	_, detailsErr := c.GetVPCEndpointDetails(ctx, private)
	_, restrictionErr := c.GetSharedVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: project, ID: id})
	for _, err := range []error{endpointErr, detailsErr, restrictionErr} {
		if !client.IsAbsent(err) {
			c.t.Errorf("after its removal: %v", err)
		}
	}
}

func (c *talk) money() {
	c.t.Helper()
	ctx, org := c.t.Context(), c.world.OrgID
	c.must(c.SetSpendingLimit(ctx, org, 10000))
	if cents, err := c.GetSpendingLimit(ctx, org); err != nil || cents != 10000 {
		c.t.Errorf("the limit is %d (%v)", cents, err)
	}
	c.must(c.DeleteSpendingLimit(ctx, org))
	if _, err := c.GetSpendingLimit(ctx, org); !client.IsAbsent(err) {
		c.t.Errorf("after its removal: %v", err)
	}
	if libraries, err := client.All(c.ListAvailableLibraries(ctx, c.world.ProjectID)); err != nil || len(libraries) == 0 {
		c.t.Errorf("libraries: %v (%v)", libraries, err)
	}
	query := client.ConsumptionQuery{
		OrgID: org, From: time.Now().Add(-2 * time.Hour), To: time.Now(), Granularity: "hourly",
		Metrics:    []string{"compute_unit_seconds"},
		ProjectIDs: []string{c.world.ProjectID}, BranchIDs: []string{c.world.BranchID},
	}
	for _, err := range c.ListBranchConsumption(ctx, query) {
		c.must(err)
	}
	query.BranchIDs = nil
	for _, err := range c.ListProjectConsumption(ctx, query) {
		c.must(err)
	}
}

func (c *talk) members() {
	c.t.Helper()
	ctx, project, org := c.t.Context(), c.world.ProjectID, c.world.OrgID
	invited, err := c.CreateInvitation(ctx, org, "new@example.com", "viewer")
	c.must(err)
	_, err = c.GetSharedInvitation(ctx, client.OrgRef[client.Invitation]{OrgID: org, ID: invited.ID})
	c.must(err)
	ada, err := c.GetSharedMemberByEmail(ctx, org, "ADA@example.com")
	c.must(err)
	id := ada.Member.ID
	member := client.OrgRef[client.Member]{OrgID: org, ID: id}
	c.must(c.UpdateMemberRole(ctx, member, "admin"))
	_, err = c.GetSharedMember(ctx, member)
	c.must(err)
	_, err = c.SetProjectMemberRole(ctx, client.Ref[client.ProjectMember]{ProjectID: project, ID: id}, "admin", true)
	c.must(err)
	for _, err := range c.ListProjectMembers(ctx, project) {
		c.must(err)
	}
	for member, err := range c.ListProjectMemberRoles(ctx, project) {
		if c.must(err); member.ID != id {
			c.t.Errorf("%s has no role of its own in the project", member.ID)
		}
	}
	if member, err := c.GetSharedProjectMember(ctx, client.Ref[client.ProjectMember]{ProjectID: project,
		ID: id}); err != nil || member.ExplicitRole() != "admin" {
		c.t.Errorf("its role in the project: %v, %v", member, err)
	}
	_, err = c.DeleteProjectMemberRole(ctx, client.Ref[client.ProjectMember]{ProjectID: project, ID: id}, true)
	c.must(err)
	_, err = client.All(c.ListInvitations(ctx, org))
	c.must(err)
	for _, err := range c.ListInvitations(ctx, org) {
		c.must(err)
	}
}

func (c *talk) projects() {
	c.t.Helper()
	ctx, retention := c.t.Context(), int64(3600)
	created, err := c.CreateProject(ctx, client.ProjectCreate{OrgID: c.world.OrgID,
		ProjectUpdate: client.ProjectUpdate{HistoryRetentionSeconds: &retention}})
	c.must(err)
	id := created.Object.ID
	c.must(c.WaitForOperations(ctx, id, created.Operations))
	_, err = c.GetDefaultBranch(ctx, id)
	c.must(err)
	name := "renamed"
	operations, err := client.OperationsOf(c.UpdateProject(ctx, id, client.ProjectUpdate{Name: &name}))
	c.must(err)
	c.must(c.WaitForOperations(ctx, id, operations))
	if err := c.TransferProjects(ctx, []string{id}, c.world.OrgID, "org-none-such-12345678"); !client.HasStatus(err,
		http.StatusNotFound) {
		c.t.Errorf("a transfer to an organization that doesn't exist: %v", err)
	}
	offered, err := c.CreateTransferRequest(ctx, id, 60)
	c.must(err)
	c.must(c.AcceptTransferRequest(ctx, client.Ref[client.TransferRequest]{ProjectID: id, ID: offered.ID}, c.world.OrgID))
	c.must(c.DeleteProject(ctx, id))
	until, err := c.GetRecoverableUntil(ctx, client.OrgRef[client.Project]{OrgID: c.world.OrgID, ID: id})
	if c.must(err); until == nil {
		c.t.Error("until when the project can be recovered isn't known")
	}
	_, err = c.RecoverProject(ctx, id)
	c.must(err)
}

// each walks the lists that yield their objects one by one.
func (c *talk) each() {
	c.t.Helper()
	ctx, project, branch := c.t.Context(), c.world.ProjectID, c.world.BranchID
	for _, err := range c.ListRoles(ctx, in(project, branch)) {
		c.must(err)
	}
	for _, err := range c.ListDatabases(ctx, in(project, branch)) {
		c.must(err)
	}
	of, err := c.ListEndpointsByBranch(ctx, project)
	c.must(err)
	_, err = of(branch)
	c.must(err)
	for _, err := range c.ListEndpoints(ctx, in(project, branch)) {
		c.must(err)
	}
	for _, err := range c.ListProjectPermissions(ctx, project) {
		c.must(err)
	}
	for _, err := range c.ListJWKS(ctx, project) {
		c.must(err)
	}
	for _, err := range c.ListSnapshots(ctx, project) {
		c.must(err)
	}
	for _, err := range c.ListAPIKeys(ctx, client.APIKeyScope{}) {
		c.must(err)
	}
}

func (c *talk) schemas() {
	c.t.Helper()
	ctx, project, branch, database, moment := c.t.Context(), c.world.ProjectID, c.world.BranchID, c.world.DatabaseName,
		time.Now().Add(-time.Minute)
	at := client.SchemaMoment{Timestamp: &moment}
	_, err := c.GetBranchSchemaSQL(ctx, in(project, branch), database, at)
	c.must(err)
	_, err = c.GetBranchSchemaJSON(ctx, in(project, branch), database, client.SchemaMoment{LSN: "0/1"})
	c.must(err)
	_, err = c.GetSchemaDiff(ctx, project, client.SchemaComparison{BranchID: branch, Database: database,
		BaseBranchID: branch, BaseAt: at})
	c.must(err)
}

func (c *talk) reads() {
	c.t.Helper()
	ctx, project := context.WithoutCancel(c.t.Context()), c.world.ProjectID
	for _, err := range c.ListProjects(ctx, client.ProjectQuery{OrgID: c.world.OrgID, Search: "first"}) {
		c.must(err)
	}
	_, err := c.GetProject(ctx, project)
	c.must(err)
	_, err = c.ListNamesakes(ctx, client.Project{ID: project, Name: "first", OrgID: c.world.OrgID})
	c.must(err)
	for _, orgID := range []string{"", c.world.OrgID} {
		_, err = client.All(c.ListRegions(ctx, orgID))
		c.must(err)
	}
	_, err = client.All(c.ListAdvisorIssues(ctx, project, client.AdvisorQuery{BranchID: c.world.BranchID,
		Category: "SECURITY", MinSeverity: "WARN"}))
	c.must(err)
	c.organizations()
	c.each()
	_, _, err = c.GetSharedFamily(ctx, in(project, c.world.BranchID))
	c.must(err)
	_, err = c.ListSharedBranches(ctx, project)
	c.must(err)
	_, err = c.IsFunctionInherited(ctx, in(project, c.world.BranchID), &client.Function{})
	c.must(err)
	_, err = c.IsBucketInherited(ctx, in(project, c.world.BranchID), &client.Bucket{})
	c.must(err)
	_, err = c.GetSharedBranchByName(ctx, project, "main")
	c.must(err)
	_, err = c.GetSharedBranchByName(client.ForHint(ctx), project, "main")
	c.must(err)
	_, err = c.GetBranchByName(ctx, project, "main")
	c.must(err)
	_, err = c.ListSharedEndpoints(ctx, in(project, c.world.BranchID))
	c.must(err)
	_, err = c.ListSharedEndpoints(client.AtOnce(ctx), in(project, c.world.BranchID))
	c.must(err)
	_, err = c.GetSharedDefaultBranch(ctx, project)
	c.must(err)
	_, err = c.GetSharedProject(ctx, project)
	c.must(err)
	_, err = c.ListSharedRoles(ctx, in(project, c.world.BranchID))
	c.must(err)
	_, err = c.ListSharedDatabases(ctx, in(project, c.world.BranchID))
	c.must(err)
	_, err = c.ListEndpointOperations(ctx, client.Endpoint{ID: c.world.EndpointID, ProjectID: project})
	c.must(err)
	for _, err := range c.ListBranches(ctx, project, client.BranchQuery{Search: "main"}) {
		c.must(err)
	}
	for _, err := range c.ListFilteredBranches(ctx, project, client.BranchQuery{},
		client.BranchFilter{IdleFor: time.Hour, WithoutChildren: true}) {
		c.must(err)
	}
	_, err = client.All(c.ListEndpoints(ctx, in(project, "")))
	c.must(err)
	for _, err := range c.ListOperations(ctx, project) {
		c.must(err)
	}
	connection := client.ConnectionURIQuery{
		BranchID: c.world.BranchID, EndpointID: c.world.EndpointID, DatabaseName: c.world.DatabaseName,
		RoleName: c.world.RoleName, Pooled: true,
	}
	_, err = c.GetConnectionURI(ctx, project, connection)
	c.must(err)
	_, err = c.GetSharedConnectionURI(ctx, project, connection)
	c.must(err)
	var refusal *client.Error
	if _, err := c.GetProject(ctx, "no-such-project-12345678"); !errors.As(err, &refusal) {
		c.t.Errorf("a project that isn't there: %v", err)
	}
}
