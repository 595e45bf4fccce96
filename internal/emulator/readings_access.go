package emulator

import (
	"errors"
	"strconv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// accessReadings are about projects, plans, people, keys, networks and money.
var accessReadings = []Reading{
	{"default-pg-settings", []string{"replaced", "merged"}, "What a change of default_endpoint_settings.pg_settings does with those that it leaves out: they go, or stay."},
	statusReading("delete-protected-project", "Deleting a project with protected branches", "422", "400", "409", "412"),
	{"regions", []string{"all", "few"}, "Which regions an organization has: all, or only three of them."},
	statusReading("regions-of-others", "Asking for the regions of an organization that the key can't see", "404", "403"),
	{"project-key-after-transfer", []string{"401", "404"}, "What keys for one project get after it was transferred: they are revoked, or see no project."},
	statusReading("second-permission", "Sharing a project with an address that it is shared with", "409", "400", "422"),
	{"revoked-permission", []string{"gone", "listed"}, "Revoked permissions: they leave the list, or stay in it with revoked_at."},
	{"jwks-unreadable", []string{"refused", "taken"}, "A JWKS URL without keys: it is refused, or taken unread."},
	{"jwks-second", []string{"added", "refused"}, "A second JWKS URL that is like the first: it is added with an id of its own, or refused."},
	{"jwks-operations", []string{"roles", "none"}, "Adding a JWKS URL without role_names: it creates the roles that tokens are for, or none."},
	{"jwks-role-names", []string{"empty", "defaults", "absent"}, "role_names of a JWKS URL that was added without: an empty list, the default roles, or nothing."},
	{"data-api-settings", []string{"all", "none"}, "The settings and schemas of a Data API in answers: all of them, or null."},
	{"data-api-of-child", []string{"none", "copied"}, "The Data API in a branch of a branch that has one: there is none, or one of its own that is alike."},
	{"data-api-after-restore", []string{"kept", "gone"}, "The Data API of a branch that is restored or reset: it stays, or is gone."},
	{"auth-after-restore", []string{"source", "kept"}, "Neon Auth of a branch that is restored or reset: as its source has it, or as it was."},
	statusReading("auth-schema-left", "Enabling Neon Auth on a branch that has the schema of an earlier one", "409", "400", "422", "enabled"),
	{"shared-mail-server", []string{"forgotten", "kept"}, "The mail server of one's own after Neon's shared one took its place: Neon has forgotten it, or has it again with the type."},
	{"backend-offered", []string{"everybody", "nobody"}, "Which organizations may use object storage, the AI gateway and service credentials, in the regions that have them."},
	statusReading("second-bucket", "A bucket of a name that the branch has", "409", "400", "422"),
	statusReading("bucket-not-empty", "Deleting a bucket that has objects", "409", "400", "422"),
	{"inherited-not-empty", []string{"deleted", "refused"}, "A bucket on a branch that has nothing but its parent's objects: it can be deleted, or isn't empty."},
	{"function-of-child", []string{"continued", "new"}, "A function of the parent once it is deployed on a branch of a branch: it goes on with its id and numbers, or is another one that begins anew."},
	{"bucket-of-child", []string{"kept", "new"}, "created_at of a bucket of the parent once it is created on a branch of a branch: the parent's, or when that was."},
	{"deleted-on-child", []string{"gone", "parents"}, "What a branch sees once its own function, trigger or bucket is deleted of which its parent has one: nothing, or the parent's again."},
	{"neon-variables", []string{"taken", "refused"}, "Variables of a function whose names begin with NEON_: they override Neon's, or are refused."},
	{"function-address", []string{"given", "none"}, "The invocation_url of a function that was deployed: an address, or an empty text."},
	{"member-role", []string{"editor", "member"}, "What members of an organization with the role of an editor are called."},
	{"creator-role", []string{"none", "admin"}, "The role that who created a project has in it by that alone."},
	{"project-role-below", []string{"kept", "dropped"}, "A role in a project below that of the organization: it is kept without effect, or not kept."},
	statusReading("project-role-of-admin", "Giving an administrator of the organization a lower role in a project", "422", "400", "409", "taken"),
	statusReading("own-project-role", "Lowering one's own role in a project without confirming it", "422", "400", "409", "412"),
	{"rotation-hints", []string{"given", "omitted"}, "Whether taking a role away recommends new passwords and keys."},
	statusReading("what-roles-may", "What is more than one's role in the project allows", "403", "404"),
	{"org-key-rights", []string{"administers", "reads"}, "Whether an organization's key revokes the organization's keys and changes members' roles."},
	statusReading("vpc-removed", "Assigning a VPC endpoint that was removed before", "422", "400", "409"),
	statusReading("vpc-regions", "Assigning a VPC endpoint in a region without PrivateLink", "400", "404", "422"),
	statusReading("vpc-plans", "Assigning a VPC endpoint on a plan without private networking", "403", "400", "412", "422"),
	{"vpc-accepted", []string{"soon", "later"}, "When Neon accepts a new VPC endpoint: after as long as an operation takes, or after a day."},
	statusReading("vpc-restriction-refused", "Restricting a project to a VPC endpoint that isn't assigned", "422", "400", "404"),
	statusReading("vpc-project-keys", "What keys for one project ask of its restrictions", "taken", "403", "404"),
	statusReading("spending-plans", "A spending limit on Free", "403", "400", "412", "422"),
	{"preload-libraries", []string{"documented", "few"}, "Which libraries can be loaded at the start: those of the reference, or but one."},
	{"rate-limits", []string{"silent", "told"}, "Whether a refusal by a rate limit has the header Retry-After."},
}

// statusReading is one of the status that a refusal has, of which the first is the decision.
func statusReading(name, what string, statuses ...string) Reading {
	return Reading{name, statuses, what + ": the status of the refusal."}
}

// doubtful is a refusal with the status that the reading of that name has.
func (e *Emulator) doubtful(name string, refusal error) error {
	var known *wire.Error
	if status, err := strconv.Atoi(e.playedReading(name)); err == nil && errors.As(refusal, &known) {
		known.Status = status
	}
	return refusal
}
