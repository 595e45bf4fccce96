package doubts

var keys = &section{title: "Keys and who may do what"}

// Doubts about keys and who may do what. Those with a name have a reading or a question.
var (
	_ = keys.add("member-keys", "A member who doesn't administer the organization (words)", "403 for its keys; may list them")

	KeyNames = keys.add("key-names", "Names of keys", "may be empty, and the same for many",
		reads("Whether keys can have the name of another, or are refused with 409.", "any", "once"))

	_ = keys.add("project-key-as-user", "Organization keys on calls for users alone: project-scoped ones", "as organization keys: 404")
	_ = keys.add("revoked-keys", "Revoking a key again, or somebody else's (words; that revoked ones leave the lists is in [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc-orgapikey_test.go))", "404")

	OrgKeyRights = keys.add("org-key-rights", "What an organization's key may do beside reading ([matrix](https://neon.com/docs/manage/orgs-api) of 2025: it revokes organization keys and changes members' roles; it creates no keys, removes no members and invites nobody; that it creates none for a project, and revokes such a one, was [seen](https://github.com/neondatabase/claimable-neon/blob/main/docs/status.md))", "as there; what it may not do is 404",
		reads("Whether an organization's key revokes the organization's keys and changes members' roles.", "administers", "reads").because("it takes another member"))

	_ = keys.add("order-of-refusals", "What comes first of several refusals", "key, ids in the path, access, body, state, lock")
)
