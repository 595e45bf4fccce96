package doubts

var keys = &section{title: "Keys and who may do what"}

// Doubts about keys and who may do what. Those with a name have a reading or a question.
var (
	_ = keys.add(&Doubt{Key: "member-keys", What: "A member who doesn't administer the organization (words)", Decided: "403 for its keys; may list them"})

	KeyNames = keys.add(&Doubt{
		Key: "key-names", What: "Names of keys",
		Decided:      "may be empty, and the same for many",
		Reading:      "Whether keys can have the name of another, or are refused with 409.",
		Alternatives: []string{"any", "once"},
	})
	KeyNamesOnce = KeyNames.played("once")

	_ = keys.add(&Doubt{Key: "project-key-as-user", What: "Organization keys on calls for users alone: project-scoped ones", Decided: "as organization keys: 404"})
	_ = keys.add(&Doubt{Key: "revoked-keys", What: "Revoking a key again, or somebody else's (words; that revoked ones leave the lists is in [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc-orgapikey_test.go))", Decided: "404"})

	OrgKeyRights = keys.add(&Doubt{
		Key: "org-key-rights", What: "What an organization's key may do beside reading ([matrix](https://neon.com/docs/manage/orgs-api) of 2025: it revokes organization keys and changes members' roles; it creates no keys, removes no members and invites nobody; that it creates none for a project, and revokes such a one, was [seen](https://github.com/neondatabase/claimable-neon/blob/main/docs/status.md))",
		Decided:      "as there; what it may not do is 404",
		Reading:      "Whether an organization's key revokes the organization's keys and changes members' roles.",
		Alternatives: []string{"administers", "reads"},
		Unasked:      "it takes another member",
	})
	OrgKeyRightsReads = OrgKeyRights.played("reads")

	_ = keys.add(&Doubt{Key: "order-of-refusals", What: "What comes first of several refusals", Decided: "key, ids in the path, access, body, state, lock"})
)
