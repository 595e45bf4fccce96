package doubts

var jwks = &section{title: "JWKS URLs"}

// Doubts about JWKS URLs. Those with a name have a reading or a question.
var (
	JWKSUnreadable = jwks.add("jwks-unreadable", "A JWKS URL that can't be read or has no keys (status, words; that Neon verifies the address says a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc-resource_jwks_url_test.go))", "400 for addresses below `.invalid`, for a host alone, and for one that isn't https; no address is read",
		reads("A JWKS URL without keys: it is refused, or taken unread.", "refused", "taken"))

	JWKSSecond = jwks.add("jwks-second", "A second JWKS URL that is like the first", "added too, with an id of its own",
		reads("A second JWKS URL that is like the first: it is added with an id of its own, or refused.", "added", "refused"))

	JWKSOperations = jwks.add("jwks-operations", "Adding a JWKS URL: roles (that it creates some unless told otherwise, and the operations, are in the [reference](https://neon.com/docs/reference/api/projects/add-project-jwks))", "`apply_config` for each compute of its branch, else of the default one; without `role_names` it adds `authenticator`, `authenticated` and `anonymous`, none of which can log in",
		reads("Adding a JWKS URL without role_names: it creates the roles that tokens are for, or none.", "roles", "none"))

	JWKSRoleNames = jwks.add("jwks-role-names", "`role_names` of a JWKS URL in answers, where none were sent (empty in the [reference](https://neon.com/docs/reference/api/projects/add-project-jwks); the default ones by other reports; absent in [kislerdm/terraform-provider-neon#145](https://github.com/kislerdm/terraform-provider-neon/issues/145))", "empty",
		reads("role_names of a JWKS URL that was added without: an empty list, the default roles, or nothing.", "empty", "defaults", "absent"))

	_ = jwks.add("jwks-missing", "Deleting a JWKS URL that isn't there, or whose branch was deleted (words)", "404; it goes with its branch")
)
