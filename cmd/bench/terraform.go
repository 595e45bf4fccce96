package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// provider is one of them, as configurations name it and as a program, and how it has many branches with an endpoint.
type provider struct{ name, source, program, branches string }

var (
	neon  = provider{"neon", "seed-a7382548/neon", "terraform-provider-neon", branchesConfig}
	empty = provider{name: "empty", source: "seed-a7382548/empty", program: "terraform-provider-empty"}
)

// Configurations, each with places for a count, a project and its default branch.
var (
	branchesConfig = block("neon_branch", "b", "project_id = %[2]q", `name = "branch-${count.index + 1}"`,
		`endpoints = { primary = { type = "read_write" } }`)
	rolesConfig    = roleAndDatabase("%[2]q", "%[3]q")
	projectsConfig = block("neon_project", "p", `name = "project-${count.index + 1}"`) +
		block("neon_branch", "b", "project_id = neon_project.p[count.index].id", `name = "branch"`)
	// Each project has all that a small one has.
	organizationConfig = projectsConfig + roleAndDatabase("neon_project.p[count.index].id",
		"neon_branch.b[count.index].id")
	// Each asks the same.
	questionsConfig = data("neon_project", "id = %[2]q") +
		data("neon_connection_uri", "project_id = %[2]q", "branch_id = %[3]q", `role_name = "neondb_owner"`,
			`database_name = "neondb"`)
	thingsConfig = block("empty_thing", "t", `name = "thing-${count.index + 1}"`)
	// Another provider has endpoints beside branches.
	peerConfig = block("neon_branch", "b", "project_id = %[2]q", `name = "branch-${count.index + 1}"`) +
		block("neon_endpoint", "e", "project_id = %[2]q", "branch_id = neon_branch.b[count.index].id", `type = "read_write"`)
)

// block is a configuration of many resources.
func block(of, name string, lines ...string) string {
	return fmt.Sprintf("resource %q %q {\n  count = %%[1]d\n  ", of, name) + strings.Join(lines, "\n  ") + "\n}\n"
}

// data is a configuration of many data sources.
func data(of string, lines ...string) string {
	return "data" + strings.TrimPrefix(block(of, "d", lines...), "resource")
}

// roleAndDatabase has both on a branch of each.
func roleAndDatabase(project, branch string) string {
	in := "project_id = " + project + "\n  branch_id = " + branch
	return block("neon_role", "r", in, `name = "role-${count.index + 1}"`) +
		block("neon_database", "d", in, `name = "database-${count.index + 1}"`, "owner_name = neon_role.r[count.index].name")
}

// work is what a configuration has: count of each kind, objects of which have operations, so many at a time.
type work struct {
	of                          provider
	config                      string
	count, objects, parallelism int
}

var (
	thousandBranches  = work{neon, branchesConfig, 1000, 1000, 8}
	thousandThings    = work{empty, thingsConfig, 1000, 0, 8}
	sameQuestions     = work{neon, questionsConfig, 200, 0, 10}
	organization      = work{neon, organizationConfig, 20, 0, 8}
	tenBranches       = work{neon, branchesConfig, 10, 10, 10}
	fortyBranches     = work{neon, branchesConfig, 40, 40, 40}
	rolesAndDatabases = work{neon, rolesConfig, 15, 30, 30}
	hundredBranches   = work{neon, branchesConfig, 100, 100, 20}
	sixtyProjects     = work{neon, projectsConfig, 60, 0, 20}
)

// workspace is a folder with a configuration for a platform of its own, in which terraform is run.
type workspace struct {
	what      work
	platform  *platform
	program   string
	folder    string
	variables map[string]string
	// cpu is how much terraform has used, with the providers that it started.
	cpu time.Duration
	// isSlowed stops terraform and its providers for four fifths of the time.
	isSlowed bool
}

// newWorkspace creates a folder with a configuration for one of the providers and for a platform's first project.
func (b *bench) newWorkspace(what work, p *platform) *workspace {
	folder := must(os.MkdirTemp(b.folder, what.of.name+"-"))
	override := filepath.Join(folder, "bench.tfrc")
	check(terraformcli.WriteOverride(override, map[string]string{what.of.source: filepath.Dir(b.programOf(what.of))}))
	w := &workspace{what: what, platform: p, program: b.terraform, folder: folder, variables: map[string]string{
		"TF_CLI_CONFIG_FILE": override, "TF_CLI_ARGS": "-no-color", "TF_INPUT": "0", "TF_IN_AUTOMATION": "1",
		"CHECKPOINT_DISABLE": "1", "TMPDIR": b.folder,
		"NEON_BASE_URL": p.address, "NEON_CLAIM_BASE_URL": p.address, "NEON_API_KEY": p.world.APIKey,
		"NEON_ORG_ID": p.world.OrgID,
	}}
	if p.isUnlimited {
		w.variables["NEON_REQUESTS_PER_MINUTE"] = strconv.Itoa(client.MostRequestsPerMinute)
	}
	w.write("main.tf", fmt.Sprintf("terraform {\n  required_providers {\n    %s = { source = %q }\n  }\n}\n", what.of.name,
		what.of.source)+
		fmt.Sprintf(what.config+"# %[2]s %[3]s\n", what.count, p.world.ProjectID, p.world.BranchID))
	return w
}

// write writes a file into the folder.
func (w *workspace) write(name, text string) {
	check(os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o600))
}

// run runs one terraform command.
func (w *workspace) run(ctx context.Context, arguments ...string) {
	cmd := process.Command(ctx, w.program, arguments...)
	cmd.Dir = w.folder
	cmd.Env = terraformcli.Environment(os.Environ(), w.variables)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	finish := process.Finish
	if w.isSlowed {
		finish = process.FinishSlowly
	}
	if err := finish(ctx, cmd); err != nil {
		check(fmt.Errorf("terraform %s: %w\n%s", strings.Join(arguments, " "), err, output.String()))
	}
	w.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// apply creates what the configuration has.
func (w *workspace) apply(ctx context.Context) {
	w.run(ctx, "apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", w.what.parallelism))
}

// plan plans what has been applied. A plan with changes is an error here.
func (w *workspace) plan(ctx context.Context, arguments ...string) {
	w.run(ctx, append([]string{"plan", "-detailed-exitcode"}, arguments...)...)
}

// observed is how long something took, the CPU of terraform and its provider, and the requests that both APIs got
// meanwhile.
type observed struct {
	seconds, cpu float64
	Total        int            `json:"total"`
	ByStatus     map[string]int `json:"by_status"`
	ByRoute      map[string]int `json:"by_route"`
}

// observe does something, with terraform in the workspace or without.
func (w *workspace) observe(ctx context.Context, do func()) (seen observed) {
	w.platform.call(ctx, http.MethodDelete, "/_emulator/requests", nil, nil)
	started, before := time.Now(), w.cpu
	do()
	seen.seconds, seen.cpu = time.Since(started).Seconds(), (w.cpu - before).Seconds()
	w.platform.call(ctx, http.MethodGet, "/_emulator/requests", nil, &seen)
	return seen
}
