package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var roleRoutes = []route{
	{"GET " + branchPath + "/roles", forProject,
		tells("roles", func(_ *Emulator, c *call) []object { return c.branch.roleViews() })},
	{"POST " + branchPath + "/roles", forProject, withBody((*Emulator).createRole)},
	{"GET " + branchPath + "/roles/{role_name}", forProject,
		tellsOf((*Emulator).roleOfPath, "role", func(_ *Emulator, c *call, r *role) object { return r.view(c.branch) })},
	{"DELETE " + branchPath + "/roles/{role_name}", forProject,
		unlessGone((*Emulator).roleOfPath, whenFree((*Emulator).deleteRole))},
	{"GET " + branchPath + "/roles/{role_name}/reveal_password", forProject,
		about((*Emulator).roleOfPath, (*Emulator).revealPassword)},
	{"POST " + branchPath + "/roles/{role_name}/reset_password", forProject,
		about((*Emulator).roleOfPath, whenFree((*Emulator).resetPassword))},
}

// longestName is the most bytes that PostgreSQL keeps of a name.
const longestName = 63

func (e *Emulator) addRole(b *branch, name string, now time.Time) *role {
	r := &role{Name: name, passwords: passwords{Password: wire.NewPassword()}, CreatedAt: now, UpdatedAt: now}
	b.Roles = append(b.Roles, r)
	return r
}

// passwordAt is the password that lets in at a time, empty where none does.
func (r *role) passwordAt(now time.Time) string {
	if len(r.Logins) == 0 {
		return r.Password
	}
	return r.Logins.current(now)
}

// verifierAt is what lets in at a time where no password does that is known.
func (r *role) verifierAt(now time.Time) string {
	if r.passwordAt(now) != "" {
		return ""
	}
	return r.Verifier
}

// changePassword sets the password, which replaces another once all operations have had
// their effect.
func (r *role) changePassword(password, before string, operations []*operation, now time.Time) {
	r.Password, r.UpdatedAt = password, now
	last := operations[len(operations)-1]
	r.Logins = states{{At: now, State: before}}.then(last.effectAt(), now, password)
}

// view leaves the password out: only the answers to create and reset have it.
func (r *role) view(b *branch) object {
	method := "password"
	if r.NoLogin {
		method = "no_login"
	}
	return object{
		"branch_id": b.ID, "name": r.Name, "protected": false, "authentication_method": method,
		"created_at": wire.Seconds(r.CreatedAt), "updated_at": wire.Seconds(r.UpdatedAt),
	}
}

// viewWithPassword has the password, where there is one.
func (e *Emulator) viewWithPassword(b *branch, r *role) object {
	view := r.view(b)
	view["password"] = e.world.secret(r.Password)
	return unlessEmpty(view, "password")
}

func (b *branch) roleViews() []object {
	return viewsOf(b.Roles, func(r *role) object { return r.view(b) })
}

// applyConfig schedules what tells the compute of the branch in the path of a change, where no other
// work is in the way. A suspended compute may be woken for it, and suspended again.
func (e *Emulator) applyConfig(c *call) []*operation {
	if endpoint := c.project.readWriteEndpoint(c.branch.ID); endpoint != nil {
		return e.configure(c, endpoint, e.plays(doubts.SuspendAfterWrite, "suspended"))
	}
	return e.schedule(c.project, c.now, work{branchID: c.branch.ID, action: "apply_config"})
}

func (e *Emulator) roleOfPath(c *call) (*role, error) {
	if r := c.branch.role(c.PathValue("role_name")); r != nil {
		return r, nil
	}
	return nil, errNoRole(c.branch, c.PathValue("role_name"))
}

func errNoRole(b *branch, name string) error {
	return wire.NotFound("role not found for branch; role_name:%q, branch_id:%q", name, b.ID)
}

// errNoPassword refuses work on the password of a role that can't log in.
func errNoPassword(status int, r *role) error {
	return wire.Refuse(status, "role has no password; role_name:%q", r.Name)
}

// checkName refuses names that PostgreSQL can't have. It takes all others, whatever they look like.
func checkName(kind, name string) error {
	switch {
	case len(name) > longestName:
		return wire.BadRequest("%s name is longer than %d bytes", kind, longestName)
	case strings.ContainsRune(name, 0):
		return wire.BadRequest("%s name has a NUL character", kind)
	}
	return checkPlace(kind, name)
}

// checkPlace refuses names that no address can lead to: what has one could be neither read nor deleted.
func checkPlace(kind, name string) error {
	if name == "." || name == ".." {
		return wire.BadRequest("%s name can't be %q", kind, name)
	}
	return nil
}

// checkRoleName refuses names that PostgreSQL can't have, and those that Neon
// keeps for itself.
func (e *Emulator) checkRoleName(name string) error {
	if err := checkName("role", name); err != nil {
		return err
	}
	reserved := []string{"neon_superuser", "cloud_admin", "zenith_admin", "public", "none"}
	if strings.HasPrefix(name, "pg") || slices.Contains(reserved, name) {
		return e.doubtful(doubts.RoleNames, wire.BadRequest("role name is reserved; role_name:%q", name))
	}
	return nil
}

// createRole answers with the password, which is in no later answer but that of reveal_password.
func (e *Emulator) createRole(c *call, body struct {
	Role struct {
		Name    string `json:"name" fits:"required,1.."`
		NoLogin bool   `json:"no_login"`
	} `json:"role" fits:"required"`
}) (reply, error) {
	b := c.branch
	if err := e.checkRoleName(body.Role.Name); err != nil {
		return reply{}, err
	}
	if b.role(body.Role.Name) != nil {
		return reply{}, e.doubtful(doubts.TakenRole, wire.Conflict("role already exists"))
	}
	if err := cmp.Or(e.planOfProject(c.project).checkAnother("roles", len(b.Roles), mostOnBranch),
		e.isFree(c)); err != nil {
		return reply{}, err
	}
	operations := e.applyConfig(c)
	r := e.addRole(b, body.Role.Name, c.now)
	if body.Role.NoLogin {
		r.NoLogin, r.Password = true, ""
	} else {
		r.changePassword(r.Password, "", operations, c.now)
	}
	e.configures(c, operations, postgres.Change{})
	return created(map[string]any{"role": e.viewWithPassword(b, r), "operations": operationViews(operations, c.now)})
}

func (e *Emulator) deleteRole(c *call, r *role) (reply, error) {
	b := c.branch
	if slices.ContainsFunc(b.Databases, func(d *database) bool { return d.OwnerName == r.Name }) {
		return reply{}, e.doubtful(doubts.NamesAndOwners, wire.Unprocessable("cannot delete role that owns databases"))
	}
	operations := e.applyConfig(c)
	b.Roles = without(b.Roles, r)
	e.configures(c, operations, postgres.Change{DroppedRoles: []string{r.Name}}, r)
	return ok(map[string]any{"role": r.view(b), "operations": operationViews(operations, c.now)})
}

func (e *Emulator) revealPassword(c *call, r *role) (reply, error) {
	if !c.project.StorePasswords {
		return reply{}, wire.Refuse(http.StatusPreconditionFailed, "storing passwords is disabled for the project")
	}
	if r.NoLogin {
		return reply{}, errNoPassword(http.StatusNotFound, r)
	}
	return ok(map[string]any{"password": e.world.secret(r.Password)})
}

func (e *Emulator) resetPassword(c *call, r *role) (reply, error) {
	b := c.branch
	if r.NoLogin {
		return reply{}, errNoPassword(http.StatusUnprocessableEntity, r)
	}
	operations := e.applyConfig(c)
	r.changePassword(wire.NewPassword(), r.passwordAt(c.now), operations, c.now)
	if at := operations[len(operations)-1].effectAt(); at.Before(never) {
		b.PasswordResetAt = at
	}
	return ok(map[string]any{"role": e.viewWithPassword(b, r), "operations": operationViews(operations, c.now)})
}

var shownRoles = shownOnBranches("roles", "Roles", func(b *branch) []*role { return b.Roles },
	func(r *role) object { return object{"name": r.Name, "no_login": r.NoLogin} },
	func(r *role) page.Item { return page.Item{Name: r.Name, Detail: when(r.NoLogin, "no login")} })
