package client

import "testing"

// withTestsOfTheirOwn are the methods that send more than one write.
var withTestsOfTheirOwn = map[string]func(*testing.T){
	"CreateAPIKey":           TestALostKeyIsRevokedAndMadeAgain,
	"UploadBucketObject":     TestAnUploadEnds,
	"EmptyBucket":            TestEmptyBucket_ends,
	"DeleteClaimableProject": TestALostDeletionOfAClaimableProject,
}

const (
	inBranch   = "/projects/p/branches/b"
	aTimeAgo   = "2026-01-01T00:00:00Z"
	aTimeLater = "2099-01-01T00:00:00Z"
	marks      = `"annotations":{"x":{"value":{"` + CreationAnnotation + `":"MARK"}}}`
)

func of(args ...any) []any { return args }

func to[T any](value T) *T { return &value }

// writings are all methods of the client that write.
var writings = []writing{
	{method: "CreateProject", args: of(ProjectCreate{ProjectUpdate: ProjectUpdate{Name: to("n")}}), recovery: foundOnce,
		after:  `{"projects":[{"id":"p","name":"n","created_at":"` + aTimeLater + `"}],"branches":[{"id":"x","default":true}],` + marks + `}`,
		answer: `{"project":{"id":"p"},"branch":{"id":"x"}}`},
	{method: "UpdateProject", args: of("p", ProjectUpdate{Name: to("n")}), after: `{"project":{"id":"p","name":"n"}}`},
	{method: "DeleteProject", args: of("p"), after: `{"project":"gone","projects":[{"id":"p","deleted_at":"` + aTimeAgo + `"}]}`, answer: `{"project":{"id":"p"}}`},
	{method: "RecoverProject", args: of("p"), before: `{"project":"gone","projects":[{"id":"p","deleted_at":"` + aTimeAgo + `"}]}`, after: `{}`},
	{method: "TransferProjects", args: of([]string{"p"}, "o", "other"), after: `{"project":{"id":"p","org_id":"other"}}`, answer: `{}`},
	{method: "CreateTransferRequest", args: of("p", int64(60)), recovery: repeated, answer: `{"id":"x","project_id":"p"}`},
	{method: "AcceptTransferRequest", args: of(Ref[TransferRequest]{"p", "x"}, "other"), after: `{"project":{"id":"p","org_id":"other"}}`, answer: `-`},

	{method: "CreateBranch", args: of("p", BranchCreate{Name: "n"}), after: `{"branches":[{"id":"x","name":"n"}],` + marks + `}`},
	{method: "CreateBranch", args: of("p", BranchCreate{}), recovery: foundOnce, after: `{"branches":[{"id":"x"}],` + marks + `}`},
	{method: "CreateAnonymizedBranch", args: of("p", BranchCreate{Name: "n"}, []MaskingRule{}), after: `{"branches":[{"id":"x","name":"n"}],` + marks + `}`},
	{method: "UpdateBranch", args: of(aBranch, BranchUpdate{Name: to("n")}), after: `{"branch":{"id":"b","name":"n"}}`},
	{method: "DeleteBranch", args: of(aBranch), after: `{"branch":"gone","branches":[]}`, answer: `{"branch":{"id":"b"}}`},
	{method: "SetDefaultBranch", args: of(aBranch), after: `{"branch":{"id":"b","default":true}}`},
	{method: "RestoreBranch", args: of(aBranch, BranchRestore{}), recovery: foundOnce, after: `{"branch":{"id":"b","last_reset_at":"` + aTimeAgo + `"}}`},
	{method: "FinalizeRestore", args: of(aBranch, ""), before: `{"branch":{"id":"b","restore_status":"restored"}}`, after: `{"branch":{"id":"b","restore_status":"finalized"}}`},
	{method: "SetMaskingRules", args: of(aBranch, []MaskingRule{}), recovery: repeated, answer: `{"masking_rules":[]}`},
	{method: "Anonymize", args: of(aBranch, (*Anonymization)(nil)), recovery: foundOnce, before: `{"state":"initialized"}`,
		after: `{"state":"anonymized","last_run":{"started_at":"` + aTimeAgo + `"}}`},
	{method: "SetBackupSchedule", args: of(aBranch, []BackupEntry{{Frequency: "daily"}}), name: inBranch + "/backup_schedule",
		before: `{"schedule":[]}`, after: `{"schedule":[{"frequency":"daily"}]}`, answer: `{}`},
	{method: "DeleteBackupSchedule", args: of(aBranch), name: inBranch + "/backup_schedule", before: `{"schedule":[{"frequency":"daily"}]}`, after: `{"schedule":[]}`, answer: `{}`},

	{method: "CreateEndpoint", args: of(aBranch, EndpointCreate{Type: EndpointReadOnly}), recovery: foundOnce, answer: `{"endpoint":{"id":"x"}}`,
		after: `{"endpoints":[{"id":"x","type":"read_only"}]}`, twins: `{"endpoints":[{"id":"x","type":"read_only"},{"id":"y","type":"read_only"}]}`,
		strangers: map[string]string{"type": `{"endpoints":[{"id":"x","type":"read_write"}]}`, "name": `{"endpoints":[{"id":"x","type":"read_only","name":"n"}]}`}},
	{method: "CreateEndpoint", args: of(aBranch, EndpointCreate{Type: EndpointReadWrite}), answer: `{"endpoint":{"id":"x"}}`,
		after: `{"endpoints":[{"id":"x","type":"read_write"}]}`},
	{method: "UpdateEndpoint", args: of(EndpointRef{"p", "x"}, EndpointUpdate{Name: to("n")}), before: `{"endpoint":{"id":"x"}}`, after: `{"endpoint":{"id":"x","name":"n"}}`},
	{method: "StartEndpoint", args: of(EndpointRef{"p", "x"}), before: `{"endpoint":{"id":"x","current_state":"idle"}}`, after: `{"endpoint":{"id":"x","current_state":"active"}}`},
	{method: "SuspendEndpoint", args: of(EndpointRef{"p", "x"}), before: `{"endpoint":{"id":"x","current_state":"active"}}`, after: `{"endpoint":{"id":"x","current_state":"idle"}}`},
	{method: "RestartEndpoint", args: of(EndpointRef{"p", "x"}), recovery: foundOnce, before: `{"endpoint":{"id":"x"}}`,
		after: `{"endpoint":{"id":"x"},"operations":[{"id":"o","endpoint_id":"x","action":"start_compute","status":"finished"}]}`},
	{method: "DeleteEndpoint", args: of(EndpointRef{"p", "x"}), before: `{"endpoint":{"id":"x"},"endpoints":[{"id":"x"}]}`, answer: `{"endpoint":{"id":"x"}}`},

	{method: "CreateRole", args: of(aBranch, RoleCreate{Name: "x"}), name: inBranch + "/roles/x", after: `{"role":{"name":"x"},"roles":[{"name":"x"}]}`},
	{method: "ResetRolePassword", args: of(aBranch, "x"), name: inBranch + "/roles/x", before: `{"role":{"name":"x","updated_at":"1999-01-01T00:00:00Z"}}`,
		after: `{"role":{"name":"x","updated_at":"2000-01-01T00:00:05Z"}}`},
	{method: "DeleteRole", args: of(aBranch, "x"), name: inBranch + "/roles/x", before: `{"role":{"name":"x"},"roles":[{"name":"x"}]}`, answer: `{"role":{"name":"x"}}`},
	{method: "CreateDatabase", args: of(aBranch, DatabaseCreate{Name: "x"}), name: inBranch + "/databases/x", after: `{"database":{"id":7,"name":"x"},"databases":[{"id":7,"name":"x"}]}`},
	{method: "UpdateDatabase", args: of(aBranch, "x", int64(7), DatabaseUpdate{OwnerName: to("o")}), name: inBranch + "/databases/x",
		before: `{"database":{"id":7,"name":"x"}}`, after: `{"database":{"id":7,"name":"x","owner_name":"o"}}`},
	{method: "DeleteDatabase", args: of(aBranch, "x"), name: inBranch + "/databases/x", before: `{"database":{"id":7,"name":"x"},"databases":[{"name":"x"}]}`,
		answer: `{"database":{"name":"x"}}`},

	{method: "CreateSnapshot", args: of(aBranch, SnapshotCreate{Name: "n"}), recovery: foundOnce, before: `{"snapshots":[]}`, answer: `{"snapshot":{"id":"x"}}`,
		after: `{"snapshots":[{"id":"x","name":"n","manual":true}]}`, twins: `{"snapshots":[{"id":"x","name":"n","manual":true},{"id":"y","name":"n","manual":true}]}`},
	{method: "UpdateSnapshot", args: of(SnapshotRef{"p", "x"}, SnapshotUpdate{Name: to("n")}), before: `{"snapshots":[{"id":"x"}]}`,
		after: `{"snapshots":[{"id":"x","name":"n"}],"snapshot":{"id":"x","name":"n"}}`},
	{method: "RestoreSnapshot", args: of(SnapshotRef{"p", "x"}, SnapshotRestore{TargetBranchID: "b", Name: "n"}), recovery: foundOnce, answer: `{"branch":{"id":"r"}}`,
		after: `{"branches":[{"id":"r","name":"n","restored_from":"x","restored_as":"b"}]}`,
		twins: `{"branches":[{"id":"r","name":"n","restored_from":"x","restored_as":"b"},{"id":"s","name":"n","restored_from":"x","restored_as":"b"}]}`,
		strangers: map[string]string{
			"snapshot": `{"branches":[{"id":"r","name":"n","restored_from":"y","restored_as":"b"}]}`, "target": `{"branches":[{"id":"r","name":"n","restored_from":"x","restored_as":"c"}]}`,
			"name": `{"branches":[{"id":"r","name":"m","restored_from":"x","restored_as":"b"}]}`,
		}},
	{method: "DeleteSnapshot", args: of(SnapshotRef{"p", "x"}), before: `{"snapshots":[{"id":"x"}]}`, after: `{"snapshots":[]}`, answer: `{"operations":[]}`},

	{method: "CreateJWKS", args: of("p", JWKSAdd{URL: "u"}), recovery: foundOnce, before: `{"jwks":[]}`, answer: `{"jwks":{"id":"x"}}`,
		after: `{"jwks":[{"id":"x","jwks_url":"u"}]}`, twins: `{"jwks":[{"id":"x","jwks_url":"u"},{"id":"y","jwks_url":"u"}]}`},
	{method: "DeleteJWKS", args: of(Ref[JWKS]{"p", "x"}), before: `{"jwks":[{"id":"x"}]}`, after: `{"jwks":[]}`, answer: `{"id":"x"}`},
	{method: "GrantProjectPermission", args: of("p", "a@b"), before: `{"project_permissions":[]}`, answer: `{"id":"x"}`,
		after: `{"project_permissions":[{"id":"x","granted_to_email":"A@b"}]}`},
	{method: "RevokeProjectPermission", args: of(Ref[ProjectPermission]{"p", "x"}), before: `{"project_permissions":[{"id":"x"}]}`, after: `{"project_permissions":[]}`, answer: `{"id":"x"}`},
	{method: "SetProjectMemberRole", args: of(Ref[ProjectMember]{"p", "x"}, "editor", true), name: "/projects/p/members/x", before: `{"project_members":[{"member_id":"x"}]}`,
		after: `{"project_members":[{"member_id":"x","explicit_project_permission":"EDITOR"}],"member_id":"x"}`},
	{method: "DeleteProjectMemberRole", args: of(Ref[ProjectMember]{"p", "x"}, false), name: "/projects/p/members/x", after: `{"project_members":[{"member_id":"x"}],"member_id":"x"}`,
		before: `{"project_members":[{"member_id":"x","explicit_project_permission":"EDITOR"}]}`},

	{method: "CreateInvitation", args: of("o", "a@b", "editor"), recovery: foundOnce, before: `{"invitations":[]}`, after: `{"invitations":[{"id":"x","email":"A@b"}]}`,
		twins:     `{"invitations":[{"id":"x","email":"A@b"},{"id":"y","email":"A@b"}]}`,
		strangers: map[string]string{"address": `{"invitations":[{"id":"x","email":"c@b"}]}`}},
	{method: "UpdateMemberRole", args: of(OrgRef[Member]{"o", "x"}, "editor"), before: `{"members":[{"member":{"id":"x","role":"admin"}}]}`, answer: `{"id":"x"}`,
		after: `{"members":[{"member":{"id":"x","role":"member"}}]}`},
	{method: "SetSpendingLimit", args: of("o", int64(7)), name: "/organizations/o/billing/spending_limit", before: `{"spending_limit_cents":6}`, after: `{"spending_limit_cents":7}`},
	{method: "DeleteSpendingLimit", args: of("o"), name: "/organizations/o/billing/spending_limit", before: `{"spending_limit_cents":6}`, answer: `{}`,
		after: `{"spending_limit_cents":null}`},
	{method: "AssignVPCEndpoint", args: of(VPCEndpointRef{"o", "r", "x"}, "l"), name: "/organizations/o/vpc/region/r/vpc_endpoints/x", answer: `-`,
		before: `{"endpoints":[{"vpc_endpoint_id":"x","region_id":"r","label":"old"}]}`,
		after:  `{"endpoints":[{"vpc_endpoint_id":"x","region_id":"r","label":"l"}]}`},
	{method: "DeleteVPCEndpoint", args: of(VPCEndpointRef{"o", "r", "x"}), name: "/organizations/o/vpc/region/r/vpc_endpoints/x", answer: `-`,
		before: `{"endpoints":[{"vpc_endpoint_id":"x","region_id":"r"}]}`},
	{method: "CreateVPCEndpointRestriction", refuses: true, args: of(Ref[VPCEndpoint]{"p", "x"}, "l"), name: "/projects/p/vpc_endpoints/x", answer: `-`,
		after: `{"endpoints":[{"vpc_endpoint_id":"x","label":"l"}]}`},
	{method: "UpdateVPCEndpointRestriction", args: of(Ref[VPCEndpoint]{"p", "x"}, "l"), name: "/projects/p/vpc_endpoints/x", answer: `-`,
		before: `{"endpoints":[{"vpc_endpoint_id":"x","label":"old"}]}`, after: `{"endpoints":[{"vpc_endpoint_id":"x","label":"l"}]}`},
	{method: "DeleteVPCEndpointRestriction", args: of(Ref[VPCEndpoint]{"p", "x"}), name: "/projects/p/vpc_endpoints/x", answer: `-`, before: `{"endpoints":[{"vpc_endpoint_id":"x"}]}`},
	{method: "RevokeAPIKey", args: of(APIKeyScope{OrgID: "o"}, int64(7)), before: `{"list":[{"id":7}]}`, after: `{"list":[]}`, answer: `{"id":7}`},

	{method: "CreateCredential", args: of(aBranch, CredentialCreate{Name: "n"}), recovery: foundOnce, before: `{"credentials":[]}`, answer: `{"token_id":"x","api_token":"t"}`,
		after:     `{"credentials":[{"token_id":"x","name":"n","principal_type":"user"}]}`,
		twins:     `{"credentials":[{"token_id":"x","name":"n","principal_type":"user"},{"token_id":"y","name":"n","principal_type":"user"}]}`,
		strangers: map[string]string{"name": `{"credentials":[{"token_id":"x","name":"m","principal_type":"user"}]}`, "scope": `{"credentials":[{"token_id":"x","name":"n","principal_type":"user","scopes":["all"]}]}`, "principal": `{"credentials":[{"token_id":"x","name":"n","principal_type":"system"}]}`}},
	{method: "RevealCredential", args: of(aBranch, "x"), recovery: repeated, before: `{"api_token":"t"}`, after: `{"api_token":"t"}`},
	{method: "RotateCredential", args: of(aBranch, "x"), recovery: foundOnce, before: `{"api_token":"t"}`, after: `{"api_token":"u"}`, sends: "/rotate"},
	{method: "RevokeCredential", args: of(aBranch, "x"), before: `{"credentials":[{"token_id":"x"}]}`, after: `{"credentials":[]}`, answer: `{}`},

	{method: "CreateBucket", refuses: true, args: of(aBranch, "x", "private"), name: inBranch + "/buckets/x", before: `{"buckets":[]}`, answer: `{"bucket":{"name":"x"}}`,
		after: `{"buckets":[{"name":"x"}]}`, older: `{"buckets":[{"name":"x","created_at":"1999-12-31T23:59:50Z"}]}`},
	{method: "DeleteBucket", args: of(aBranch, "x"), name: inBranch + "/buckets/x", before: `{"buckets":[{"name":"x"}]}`, after: `{"buckets":[]}`, answer: `{}`},
	{method: "DeleteBucketObject", args: of(BucketPlace{aBranch, "k", "x"}), name: inBranch + "/buckets/k/objects/x", before: `{"objects":[{"key":"x"}]}`, after: `{"objects":[]}`, answer: `{}`},

	{method: "CreateFunction", refuses: true, args: of(aBranch, "x", FunctionDeploy{Runtime: "r", Environment: map[string]string{"A": "a", "B": ""}}), recovery: foundOnce,
		name: inBranch + "/functions/x", before: `{"functions":[]}`, answer: `{"deployment":{"id":1}}`,
		after: `{"function":{"slug":"x","current_deployment":{"id":1}},"functions":[{"slug":"x","current_deployment":{"id":1}}]}`,
		strangers: map[string]string{"runtime": `{"function":{"slug":"x","current_deployment":{"id":1,"runtime":"s","environment":["A"]}}}`,
			"variable":         `{"function":{"slug":"x","current_deployment":{"id":1,"runtime":"r","environment":["C"]}}}`,
			"removed variable": `{"function":{"slug":"x","current_deployment":{"id":1,"runtime":"r","environment":["A","B"]}}}`}},
	{method: "DeployFunction", args: of(aBranch, &Function{Slug: "x", Current: &Deployment{ID: 1}}, FunctionDeploy{}), recovery: foundOnce, name: inBranch + "/functions/x",
		before: `{"function":{"slug":"x","current_deployment":{"id":1}}}`, after: `{"function":{"slug":"x","current_deployment":{"id":2}}}`, answer: `{"deployment":{"id":2}}`},
	{method: "RenameFunction", args: of(aBranch, "x", "n"), recovery: repeated, name: inBranch + "/functions/x", answer: `{"function":{"slug":"x"}}`},
	{method: "DeleteFunction", args: of(aBranch, "x"), name: inBranch + "/functions/x", before: `{"function":{"slug":"x"}}`, after: `{"functions":[]}`, answer: `{}`},
	{method: "CreateTrigger", refuses: true, args: of(aBranch, TriggerSpec{Name: "n"}), before: `{"triggers":[]}`, answer: `{"trigger":{"trigger_id":"x"}}`,
		after: `{"triggers":[{"trigger_id":"x","name":"n"}]}`},
	{method: "UpdateTrigger", args: of(aBranch, "x", TriggerSpec{}), recovery: repeated, answer: `{"trigger":{"trigger_id":"x"}}`},
	{method: "DeleteTrigger", args: of(aBranch, "x"), before: `{"trigger":{"trigger_id":"x"}}`, after: `{"triggers":[]}`, answer: `{}`},
	{method: "CreateCustomDomain", refuses: true, args: of(aBranch, "x", "api"), name: inBranch + "/custom-domains/x", before: `{"custom_domains":[]}`, answer: `{"domain":"x"}`,
		after: `{"custom_domains":[{"domain":"x"}]}`},
	{method: "DeleteCustomDomain", args: of(aBranch, "x"), name: inBranch + "/custom-domains/x", before: `{"custom_domains":[{"domain":"x"}]}`, after: `{"custom_domains":[]}`, answer: `{}`},

	{method: "CreateDataAPI", args: of(aBranch, "x", DataAPICreate{}), name: inBranch + "/data-api/x", after: `{"url":"u"}`},
	{method: "UpdateDataAPI", args: of(aBranch, "x", DataAPISettings{}, DataAPISettings{}), recovery: repeated, name: inBranch + "/data-api/x",
		before: `{"url":"u"}`, after: `{"url":"u"}`, answer: `{}`},
	{method: "RefreshDataAPISchema", args: of(aBranch, "x"), recovery: repeated, name: inBranch + "/data-api/x", before: `{"url":"u"}`, after: `{"url":"u"}`, answer: `{}`},
	{method: "DeleteDataAPI", args: of(aBranch, "x"), name: inBranch + "/data-api/x", before: `{"url":"u"}`, answer: `{}`},

	{method: "EnableAuth", args: of(aBranch, AuthEnable{Provider: "a"}), name: inBranch + "/auth", after: `{"auth_provider":"a"}`},
	{method: "DisableAuth", args: of(aBranch, true), name: inBranch + "/auth", before: `{"auth_provider":"a"}`, answer: `-`},
	{method: "AllowAuthLocalhost", args: of(aBranch, true), recovery: repeated, answer: `{"allow_localhost":true}`},
	{method: "SetAuthGroup", args: of(aBranch, AuthMagicLink, map[string]any{}), recovery: repeated, answer: `{"enabled":false}`},
	{method: "SetAuthGroup", args: of(aBranch, AuthEmailProvider, map[string]any{}), recovery: repeated, answer: `{"type":"shared"}`},
	{method: "SendAuthTestMail", args: of(aBranch, "a@b"), recovery: unseen, answer: `{"success":true}`},
	{method: "CreateAuthOAuthProvider", refuses: true, args: of(aBranch, "x", AuthOAuthSettings{}), name: inBranch + "/auth/oauth_providers/x", before: `{"providers":[]}`,
		after: `{"providers":[{"id":"x"}]}`, answer: `{"id":"x"}`},
	{method: "UpdateAuthOAuthProvider", args: of(aBranch, "x", AuthOAuthSettings{}), recovery: repeated, name: inBranch + "/auth/oauth_providers/x", answer: `{"id":"x"}`},
	{method: "DeleteAuthOAuthProvider", args: of(aBranch, "x"), name: inBranch + "/auth/oauth_providers/x", before: `{"providers":[{"id":"x"}]}`, after: `{"providers":[]}`, answer: `-`},
	{method: "CreateAuthDomain", refuses: true, args: of(aBranch, AuthDomain{Domain: "https://A.example/"}), name: inBranch + "/auth/domains/https:%2F%2Fa.example", before: `{"domains":[]}`,
		after: `{"domains":[{"domain":"https://a.example"}]}`, answer: `-`},
	{method: "DeleteAuthDomain", args: of(aBranch, AuthDomain{Domain: "https://a.example"}), name: inBranch + "/auth/domains/https:%2F%2Fa.example",
		before: `{"domains":[{"domain":"https://a.example"}]}`, after: `{"domains":[]}`, answer: `-`},

	{method: "CreateClaimableDatabase", args: of(ClaimableDatabaseCreate{}), recovery: unseen, answer: `{"id":"x"}`},
	{method: "CreateClaimableProject", args: of(ClaimableProjectCreate{}), recovery: unseen, answer: `{"identity_assertion":"a","registration_id":"r","project":{"id":"x"}}`},
	{method: "CreateClaimLink", args: of(ClaimableIdentity{ProjectID: "x", Assertion: "a"}), recovery: unseen, answer: `{"verification_uri_complete":"u"}`,
		before: `{"access_token":"t","expires_in":3600}`},
}
