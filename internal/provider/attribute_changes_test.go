package provider_test

// changedNoun has all attributes of a managed resource that can be configured.
type changedNoun struct {
	// needs are the lines without which there is no such resource.
	needs string
	// at is the call that returns it, with attributes of the state in braces, and where its
	// answer has the object.
	at         string
	attributes map[string]attributeChange
}

// attributeChange is lines of a resource's block before and after a change. They take the
// place of what the noun needs by the same name.
type attributeChange struct {
	before, after string
	// field is where Neon has the value afterwards, in what the noun's call returns or, with
	// a slash, in what another one does; empty where Neon knows nothing of the attribute.
	field, want string
	// refused is a change of what is after, which is an error of the plan.
	refused string
}

const (
	thatBranch   = "/projects/{id}/branches/{default_branch.id}#branch."
	thatEndpoint = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint."
	thatSchedule = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
	thatMember   = "/organizations/{org_id}/members/{member_id}#"
	labelled     = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint."
	seed         = `{ type = "sql-script", path = "$file" }`
)

func onBranch(body string) string   { return "default_branch = { " + body + " }" }
func onEndpoint(body string) string { return "default_branch = { endpoint = { " + body + " } }" }
func onLabel(body string) string    { return `endpoints = { a = { type = "read_write"` + body + ` } }` }

// timed are the changes of timeouts, of which only Terraform knows.
func timed(changes map[string]attributeChange, kinds ...string) map[string]attributeChange {
	changes["timeouts"] = attributeChange{before: `timeouts = { ` + kinds[0] + ` = "5m" }`, after: "timeouts = null"}
	for _, kind := range kinds {
		changes["timeouts."+kind] = attributeChange{
			before: `timeouts = { ` + kind + ` = "5m" }`, after: `timeouts = { ` + kind + ` = "6m" }`,
		}
	}
	return changes
}

var changedNouns = map[string]changedNoun{
	"neon_project": {at: "/projects/{id}#project", attributes: timed(map[string]attributeChange{
		"name":                      {`name = "a"`, `name = "b"`, "name", "b", ""},
		"org_id":                    {`org_id = "$org"`, `org_id = "$other_org"`, "org_id", "$other_org", ""},
		"region_id":                 {`region_id = "aws-us-east-2"`, `region_id = "aws-eu-central-1"`, "region_id", "aws-eu-central-1", ""},
		"pg_version":                {`pg_version = 17`, `pg_version = 16`, "pg_version", "16", ""},
		"compute_provisioner":       {`compute_provisioner = "k8s-neonvm"`, `compute_provisioner = "k8s-pod"`, "provisioner", "k8s-pod", ""},
		"store_passwords":           {``, `store_passwords = false`, "store_passwords", "false", ""},
		"history_retention_seconds": {`history_retention_seconds = 3600`, `history_retention_seconds = 0`, "history_retention_seconds", "0", ""},
		"deletion_protection":       {`deletion_protection = true`, `deletion_protection = false`, "", "", ""},

		"default_endpoint_settings": {
			`default_endpoint_settings = { autoscaling_limit_max_cu = 1 }`, `default_endpoint_settings = { autoscaling_limit_max_cu = 2 }`,
			"default_endpoint_settings.autoscaling_limit_max_cu", "2", "",
		},
		"default_endpoint_settings.autoscaling_limit_min_cu": {
			`default_endpoint_settings = { autoscaling_limit_min_cu = 0.25 }`, `default_endpoint_settings = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 }`,
			"default_endpoint_settings.autoscaling_limit_min_cu", "0.5", "",
		},
		"default_endpoint_settings.autoscaling_limit_max_cu": {
			``, `default_endpoint_settings = { autoscaling_limit_max_cu = 4 }`, "default_endpoint_settings.autoscaling_limit_max_cu", "4", "",
		},
		"default_endpoint_settings.suspend_timeout_seconds": {
			``, `default_endpoint_settings = { suspend_timeout_seconds = 120 }`, "default_endpoint_settings.suspend_timeout_seconds", "120", "",
		},
		"default_endpoint_settings.pg_settings": {
			`default_endpoint_settings = { pg_settings = { work_mem = "8MB" } }`, `default_endpoint_settings = { pg_settings = { work_mem = "9MB" } }`,
			"default_endpoint_settings.pg_settings", "map[work_mem:9MB]", "",
		},

		"default_branch":               {``, onBranch(`name = "b"`), thatBranch + "name", "b", ""},
		"default_branch.name":          {onBranch(`name = "a"`), onBranch(`name = "b"`), thatBranch + "name", "b", ""},
		"default_branch.protected":     {onBranch(`protected = true`), onBranch(`protected = false`), thatBranch + "protected", "false", ""},
		"default_branch.role_name":     {``, ``, "", "", onBranch(`role_name = "b"`)},
		"default_branch.database_name": {``, ``, "", "", onBranch(`database_name = "b"`)},
		"default_branch.endpoint":      {``, onEndpoint(`name = "b"`), thatEndpoint + "name", "b", ""},
		"default_branch.endpoint.name": {onEndpoint(`name = "a"`), onEndpoint(`name = "b"`), thatEndpoint + "name", "b", ""},
		"default_branch.endpoint.disabled": {
			onEndpoint(`disabled = false`), onEndpoint(`disabled = true`), thatEndpoint + "disabled", "true", "",
		},
		"default_branch.endpoint.suspend_timeout_seconds": {
			onEndpoint(`suspend_timeout_seconds = 60`), onEndpoint(`suspend_timeout_seconds = -1`), thatEndpoint + "suspend_timeout_seconds", "-1", "",
		},
		"default_branch.endpoint.autoscaling_limit_min_cu": {
			onEndpoint(`autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2`),
			onEndpoint(`autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2`), thatEndpoint + "autoscaling_limit_min_cu", "1", "",
		},
		"default_branch.endpoint.autoscaling_limit_max_cu": {
			onEndpoint(`autoscaling_limit_max_cu = 1`), onEndpoint(`autoscaling_limit_max_cu = 2`), thatEndpoint + "autoscaling_limit_max_cu", "2", "",
		},

		"quota":                      {`quota = { written_data_bytes = 5 }`, `quota = null`, "settings.quota.written_data_bytes", "0", ""},
		"quota.active_time_seconds":  {`quota = { active_time_seconds = 5 }`, `quota = { active_time_seconds = 6 }`, "settings.quota.active_time_seconds", "6", ""},
		"quota.compute_time_seconds": {`quota = { compute_time_seconds = 5 }`, `quota = { compute_time_seconds = 6 }`, "settings.quota.compute_time_seconds", "6", ""},
		"quota.written_data_bytes":   {`quota = { written_data_bytes = 5 }`, `quota = { written_data_bytes = 6 }`, "settings.quota.written_data_bytes", "6", ""},
		"quota.data_transfer_bytes":  {`quota = { data_transfer_bytes = 5 }`, `quota = { data_transfer_bytes = 6 }`, "settings.quota.data_transfer_bytes", "6", ""},
		"quota.logical_size_bytes":   {`quota = { logical_size_bytes = 5 }`, `quota = { logical_size_bytes = 6 }`, "settings.quota.logical_size_bytes", "6", ""},

		"allowed_ips": {`allowed_ips = ["10.0.0.1"]`, `allowed_ips = ["10.0.0.2"]`, "settings.allowed_ips.ips", "[10.0.0.2]", ""},
		"allowed_ips_protected_branches_only": {
			`allowed_ips_protected_branches_only = false`, `allowed_ips_protected_branches_only = true`,
			"settings.allowed_ips.protected_branches_only", "true", "",
		},
		"block_public_connections": {
			`block_public_connections = true`, `block_public_connections = false`, "settings.block_public_connections", "false", "",
		},
		"block_vpc_connections": {`block_vpc_connections = false`, `block_vpc_connections = true`, "settings.block_vpc_connections", "true", ""},
		"enable_logical_replication": {
			``, `enable_logical_replication = true`, "settings.enable_logical_replication", "true", `enable_logical_replication = false`,
		},
		"hipaa":           {``, `hipaa = true`, "settings.hipaa", "true", `hipaa = false`},
		"audit_log_level": {`audit_log_level = "base"`, `audit_log_level = "full"`, "settings.audit_log_level", "full", ""},
		"maintenance_window": {
			``, `maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`, "settings.maintenance_window.weekdays", "[1]", "",
		},
		"maintenance_window.weekdays": {
			`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`,
			`maintenance_window = { weekdays = [2], start_time = "01:00", end_time = "02:00" }`, "settings.maintenance_window.weekdays", "[2]", "",
		},
		"maintenance_window.start_time": {
			`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "03:00" }`,
			`maintenance_window = { weekdays = [1], start_time = "02:00", end_time = "03:00" }`, "settings.maintenance_window.start_time", "02:00", "",
		},
		"maintenance_window.end_time": {
			`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`,
			`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "03:00" }`, "settings.maintenance_window.end_time", "03:00", "",
		},
		"preload_libraries": {
			``, `preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }`, "settings.preload_libraries.enabled_libraries", "[pg_cron]", "",
		},
		"preload_libraries.use_defaults": {
			`preload_libraries = { use_defaults = true, enabled_libraries = [] }`, `preload_libraries = { use_defaults = false, enabled_libraries = [] }`,
			"settings.preload_libraries.use_defaults", "false", "",
		},
		"preload_libraries.enabled_libraries": {
			`preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }`, `preload_libraries = { use_defaults = true, enabled_libraries = ["rag"] }`,
			"settings.preload_libraries.enabled_libraries", "[rag]", "",
		},
	}, "create", "update", "delete")},

	"neon_branch": {needs: `name = "b"
		project_id = "$project"`, at: "/projects/{project_id}/branches/{id}#branch", attributes: timed(map[string]attributeChange{
		"project_id":       {``, `project_id = "$other_project"`, "project_id", "$other_project", ""},
		"name":             {``, `name = "c"`, "name", "c", ""},
		"protected":        {``, `protected = true`, "protected", "true", ""},
		"expires_in":       {`expires_in = "48h"`, `expires_in = "72h"`, "", "", ""},
		"expires_at":       {`expires_at = "$tomorrow"`, `expires_at = "$overmorrow"`, "expires_at", "$overmorrow", ""},
		"parent_id":        {`parent_id = "$main"`, `parent_id = "$other_branch"`, "parent_id", "$other_branch", ""},
		"parent_lsn":       {`parent_lsn = "0/100"`, `parent_lsn = "0/200"`, "parent_lsn", "0/200", ""},
		"parent_timestamp": {`parent_timestamp = "$earlier"`, `parent_timestamp = "$later"`, "", "", ""}, // Neon doesn't return it.
		"archived":         {`archived = true`, `archived = false`, "", "", ""},
		"init_source":      {``, `init_source = "schema-only"`, "init_source", "parent-schema", ""},

		"endpoints":                          {``, onLabel(``), labelled + "type", "read_write", ""},
		"endpoints.type":                     {onLabel(``), `endpoints = { a = { type = "read_only" } }`, labelled + "type", "read_only", ""},
		"endpoints.name":                     {onLabel(``), onLabel(`, name = "b"`), labelled + "name", "b", ""},
		"endpoints.disabled":                 {onLabel(``), onLabel(`, disabled = true`), labelled + "disabled", "true", ""},
		"endpoints.autoscaling_limit_min_cu": {onLabel(``), onLabel(`, autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2`), labelled + "autoscaling_limit_min_cu", "0.5", ""},
		"endpoints.autoscaling_limit_max_cu": {onLabel(``), onLabel(`, autoscaling_limit_max_cu = 4`), labelled + "autoscaling_limit_max_cu", "4", ""},
		"endpoints.suspend_timeout_seconds":  {onLabel(``), onLabel(`, suspend_timeout_seconds = 60`), labelled + "suspend_timeout_seconds", "60", ""},
	}, "create", "update", "delete")},

	"neon_endpoint": {needs: `project_id = "$project"
		branch_id = "$other_branch"
		type = "read_only"`, at: "/projects/{project_id}/endpoints/{id}#endpoint", attributes: timed(map[string]attributeChange{
		"project_id":               {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", "project_id", "$other_project", ""},
		"branch_id":                {``, `branch_id = "$main"`, "branch_id", "$main", ""},
		"type":                     {``, `type = "read_write"`, "type", "read_write", ""},
		"autoscaling_limit_min_cu": {``, "autoscaling_limit_min_cu = 0.5\nautoscaling_limit_max_cu = 2", "autoscaling_limit_min_cu", "0.5", ""},
		"autoscaling_limit_max_cu": {``, `autoscaling_limit_max_cu = 4`, "autoscaling_limit_max_cu", "4", ""},
		"suspend_timeout_seconds":  {``, `suspend_timeout_seconds = 60`, "suspend_timeout_seconds", "60", ""},
		"disabled":                 {``, `disabled = true`, "disabled", "true", ""},
		"name":                     {``, `name = "b"`, "name", "b", ""},
		"pg_settings":              {`pg_settings = { work_mem = "8MB" }`, `pg_settings = { work_mem = "9MB" }`, "settings.pg_settings", "map[work_mem:9MB]", ""},
		"preload_libraries": {
			``, `preload_libraries = { use_defaults = false, enabled_libraries = ["pg_cron"] }`, "settings.preload_libraries.use_defaults", "false", "",
		},
		"preload_libraries.use_defaults": {
			`preload_libraries = { use_defaults = true, enabled_libraries = [] }`, `preload_libraries = { use_defaults = false, enabled_libraries = [] }`,
			"settings.preload_libraries.use_defaults", "false", "",
		},
		"preload_libraries.enabled_libraries": {
			`preload_libraries = { use_defaults = true, enabled_libraries = [] }`, `preload_libraries = { use_defaults = true, enabled_libraries = ["rag"] }`,
			"settings.preload_libraries.enabled_libraries", "[rag]", "",
		},
	}, "create", "update", "delete")},

	"neon_role": {needs: `project_id = "$project"
		branch_id = "$main"
		name = "a"`, at: "/projects/{project_id}/branches/{branch_id}/roles/{name}#role", attributes: timed(map[string]attributeChange{
		"project_id":                 {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", "branch_id", "$other_main", ""},
		"branch_id":                  {``, `branch_id = "$other_branch"`, "branch_id", "$other_branch", ""},
		"name":                       {``, `name = "b"`, "name", "b", ""},
		"no_login":                   {``, `no_login = true`, "authentication_method", "no_login", ""},
		"password_rotation_triggers": {`password_rotation_triggers = { a = "1" }`, `password_rotation_triggers = { a = "2" }`, "", "", ""},
	}, "create", "update", "delete")},

	"neon_database": {needs: `project_id = "$project"
		branch_id = "$main"
		name = "a"
		owner_name = "neondb_owner"`, at: "/projects/{project_id}/branches/{branch_id}/databases/{name}#database", attributes: timed(map[string]attributeChange{
		"project_id":          {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", "branch_id", "$other_main", ""},
		"branch_id":           {``, `branch_id = "$other_branch"`, "branch_id", "$other_branch", ""},
		"name":                {``, `name = "b"`, "name", "b", ""},
		"owner_name":          {``, `owner_name = "somebody"`, "owner_name", "somebody", ""},
		"deletion_protection": {`deletion_protection = true`, `deletion_protection = false`, "", "", ""},
	}, "create", "update", "delete")},

	"neon_project_permission": {needs: `project_id = "$project"
		email = "anna@example.com"`, at: "/projects/{project_id}/permissions#project_permissions.*", attributes: map[string]attributeChange{
		"project_id": {``, `project_id = "$other_project"`, "granted_to_email", "anna@example.com", ""},
		"email":      {``, `email = "bert@example.com"`, "granted_to_email", "bert@example.com", ""},
	}},

	"neon_project_member_role": {needs: `project_id = "$project"
		member_id = "$max"
		role = "viewer"`, at: "/projects/{project_id}/members#project_members.*", attributes: map[string]attributeChange{
		"project_id":            {``, `project_id = "$other_project"`, "explicit_project_permission", "VIEWER", ""},
		"member_id":             {``, `member_id = "$eve"`, "explicit_project_permission", "VIEWER", ""},
		"role":                  {``, `role = "editor"`, "explicit_project_permission", "EDITOR", ""},
		"confirm_self_demotion": {``, `confirm_self_demotion = true`, "", "", ""},
	}},

	"neon_org_member_role": {needs: `member_id = "$max"
		role = "viewer"`, attributes: map[string]attributeChange{
		"org_id": {``, `org_id = "$other_org"
		member_id = null
		email = "ada@example.com"
		role = "admin"`, thatMember + "org_id", "$other_org", ""},
		"member_id": {``, `member_id = "$eve"`, thatMember + "id", "$eve", ""},
		"email":     {"member_id = null\nemail = \"max@example.com\"", "member_id = null\nemail = \"eve@example.com\"", thatMember + "id", "$eve", ""},
		"role":      {``, `role = "editor"`, thatMember + "role", "editor", ""},
	}},

	"neon_org_invitation": {needs: `email = "a@example.com"
		role = "viewer"`, at: "/organizations/{org_id}/invitations#invitations.*", attributes: map[string]attributeChange{
		"org_id": {``, `org_id = "$other_org"`, "org_id", "$other_org", ""},
		"email":  {``, `email = "b@example.com"`, "email", "b@example.com", ""},
		"role":   {``, `role = "editor"`, "role", "editor", ""},
	}},

	"neon_jwks_url": {needs: `project_id = "$project"
		jwks_url = "https://example.com/a.json"
		provider_name = "a"`, at: "/projects/{project_id}/jwks#jwks.*", attributes: timed(map[string]attributeChange{
		"project_id":    {``, `project_id = "$other_project"`, "project_id", "$other_project", ""},
		"jwks_url":      {``, `jwks_url = "https://example.com/b.json"`, "jwks_url", "https://example.com/b.json", ""},
		"provider_name": {``, `provider_name = "b"`, "provider_name", "b", ""},
		"branch_id":     {``, `branch_id = "$other_branch"`, "branch_id", "$other_branch", ""},
		"jwt_audience":  {``, `jwt_audience = "a"`, "jwt_audience", "a", ""},
		"role_names":    {`role_names = ["a"]`, `role_names = ["b"]`, "role_names", "[b]", ""},
	}, "create")},
	"neon_branch_backup_schedule": {needs: `project_id = "$project"
		branch_id = "$main"
		schedule = [{ frequency = "daily" }]`, attributes: map[string]attributeChange{
		"project_id":                 {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", thatSchedule, "[map[frequency:daily retention_seconds:3024000]]", ""},
		"branch_id":                  {``, `branch_id = "$root"`, thatSchedule, "[map[frequency:daily retention_seconds:3024000]]", ""},
		"schedule":                   {``, `schedule = [{ frequency = "weekly" }]`, thatSchedule, "[map[frequency:weekly retention_seconds:3024000]]", ""},
		"schedule.frequency":         {``, `schedule = [{ frequency = "weekly" }]`, thatSchedule, "[map[frequency:weekly retention_seconds:3024000]]", ""},
		"schedule.hour":              {``, `schedule = [{ frequency = "daily", hour = 5 }]`, thatSchedule, "[map[frequency:daily hour:5 retention_seconds:3024000]]", ""},
		"schedule.day":               {``, `schedule = [{ frequency = "daily", day = 5 }]`, thatSchedule, "[map[day:5 frequency:daily retention_seconds:3024000]]", ""},
		"schedule.month":             {``, `schedule = [{ frequency = "daily", month = 5 }]`, thatSchedule, "[map[frequency:daily month:5 retention_seconds:3024000]]", ""},
		"schedule.retention_seconds": {``, `schedule = [{ frequency = "daily", retention_seconds = 7200 }]`, thatSchedule, "[map[frequency:daily retention_seconds:7200]]", ""},
	}},

	"neon_data_api": {needs: `project_id = "$project"
		branch_id = "$main"
		database_name = "neondb"`, at: "/projects/{project_id}/branches/{branch_id}/data-api/{database_name}#", attributes: map[string]attributeChange{
		"project_id":    {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", "status", "active", ""},
		"branch_id":     {``, `branch_id = "$root"`, "status", "active", ""},
		"database_name": {``, `database_name = "other"`, "status", "active", ""},
		"auth_provider": {`auth_provider = "neon_auth"`, "auth_provider = \"external\"\njwks_url = \"https://example.com/a.json\"", "status", "active", ""},
		"jwks_url": {"auth_provider = \"external\"\njwks_url = \"https://example.com/a.json\"",
			"auth_provider = \"external\"\njwks_url = \"https://example.com/b.json\"", "status", "active", ""},
		"provider_name": {"auth_provider = \"external\"\njwks_url = \"https://example.com/a.json\"\nprovider_name = \"a\"",
			"auth_provider = \"external\"\njwks_url = \"https://example.com/a.json\"\nprovider_name = \"b\"", "status", "active", ""},
		"jwt_audience":                         {`jwt_audience = "a"`, `jwt_audience = "b"`, "status", "active", ""},
		"add_default_grants":                   {`add_default_grants = false`, `add_default_grants = true`, "status", "active", ""},
		"skip_auth_schema":                     {`skip_auth_schema = false`, `skip_auth_schema = true`, "status", "active", ""},
		"settings":                             {``, `settings = { db_max_rows = 5 }`, "settings.db_max_rows", "5", ""},
		"settings.db_aggregates_enabled":       {`settings = { db_aggregates_enabled = true }`, `settings = { db_aggregates_enabled = false }`, "settings.db_aggregates_enabled", "false", ""},
		"settings.db_anon_role":                {`settings = { db_anon_role = "a" }`, `settings = { db_anon_role = "b" }`, "settings.db_anon_role", "b", ""},
		"settings.db_extra_search_path":        {`settings = { db_extra_search_path = "a" }`, `settings = { db_extra_search_path = "b" }`, "settings.db_extra_search_path", "b", ""},
		"settings.db_max_rows":                 {`settings = { db_max_rows = 5 }`, `settings = { db_max_rows = 6 }`, "settings.db_max_rows", "6", ""},
		"settings.db_schemas":                  {`settings = { db_schemas = ["a"] }`, `settings = { db_schemas = ["b"] }`, "settings.db_schemas", "[b]", ""},
		"settings.jwt_role_claim_key":          {`settings = { jwt_role_claim_key = "a" }`, `settings = { jwt_role_claim_key = "b" }`, "settings.jwt_role_claim_key", "b", ""},
		"settings.jwt_cache_max_lifetime":      {`settings = { jwt_cache_max_lifetime = 5 }`, `settings = { jwt_cache_max_lifetime = 6 }`, "settings.jwt_cache_max_lifetime", "6", ""},
		"settings.openapi_mode":                {`settings = { openapi_mode = "disabled" }`, `settings = { openapi_mode = "ignore-privileges" }`, "settings.openapi_mode", "ignore-privileges", ""},
		"settings.server_cors_allowed_origins": {`settings = { server_cors_allowed_origins = "a" }`, `settings = { server_cors_allowed_origins = "b" }`, "settings.server_cors_allowed_origins", "b", ""},
		"settings.server_timing_enabled":       {`settings = { server_timing_enabled = false }`, `settings = { server_timing_enabled = true }`, "settings.server_timing_enabled", "true", ""},
	}},

	"neon_snapshot": {needs: `project_id = "$project"
		branch_id = "$main"`, at: "/projects/{project_id}/snapshots#snapshots.*", attributes: timed(map[string]attributeChange{
		"project_id":          {``, "project_id = \"$other_project\"\nbranch_id = \"$other_main\"", "source_branch_id", "$other_main", ""},
		"branch_id":           {``, `branch_id = "$root"`, "source_branch_id", "$root", ""},
		"name":                {`name = "a"`, `name = "b"`, "name", "b", ""},
		"slug":                {`slug = "a"`, `slug = "b"`, "slug", "b", ""},
		"lsn":                 {`lsn = "0/100"`, `lsn = "0/200"`, "lsn", "0/200", ""},
		"timestamp":           {`timestamp = "$earlier"`, `timestamp = "$later"`, "timestamp", "$later", ""},
		"deletion_protection": {`deletion_protection = true`, `deletion_protection = false`, "", "", ""},
		"expires_at":          {`expires_at = "$tomorrow"`, `expires_at = "$overmorrow"`, "expires_at", "$overmorrow", ""},
	}, "create", "update", "delete")},

	"neon_vpc_endpoint_assignment": {needs: `org_id = "$org"
		region_id = "aws-us-east-2"
		vpc_endpoint_id = "vpce-0c3"
		deletion_protection = false`, at: "/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}#", attributes: map[string]attributeChange{
		"org_id":              {``, `org_id = "$other_org"`, "vpc_endpoint_id", "vpce-0c3", ""},
		"region_id":           {``, `region_id = "aws-eu-central-1"`, "vpc_endpoint_id", "vpce-0c3", ""},
		"vpc_endpoint_id":     {``, `vpc_endpoint_id = "vpce-0d4"`, "vpc_endpoint_id", "vpce-0d4", ""},
		"label":               {`label = "a"`, `label = "b"`, "label", "b", ""},
		"deletion_protection": {`deletion_protection = true`, `deletion_protection = false`, "", "", ""},
	}},

	"neon_vpc_endpoint_restriction": {needs: `project_id = "$project"
		vpc_endpoint_id = "vpce-0a1"`, at: "/projects/{project_id}/vpc_endpoints#endpoints.*", attributes: map[string]attributeChange{
		"project_id":      {``, `project_id = "$other_project"`, "vpc_endpoint_id", "vpce-0a1", ""},
		"vpc_endpoint_id": {``, `vpc_endpoint_id = "vpce-0b2"`, "vpc_endpoint_id", "vpce-0b2", ""},
		"label":           {`label = "a"`, `label = "b"`, "label", "b", ""},
	}},

	"neon_org_spending_limit": {needs: `org_id = "$org"
		spending_limit_cents = 100`, at: "/organizations/{org_id}/billing/spending_limit#", attributes: map[string]attributeChange{
		"org_id":               {``, `org_id = "$other_org"`, "spending_limit_cents", "100", ""},
		"spending_limit_cents": {``, `spending_limit_cents = 200`, "spending_limit_cents", "200", ""},
	}},

	"neon_api_key": {needs: `name = "a"`, at: "/api_keys#*", attributes: map[string]attributeChange{
		"name":              {``, `name = "b"`, "name", "b", ""},
		"rotation_triggers": {`rotation_triggers = { a = "1" }`, `rotation_triggers = { a = "2" }`, "name", "a", ""},
	}},

	"neon_org_api_key": {needs: `name = "a"`, at: "/organizations/{org_id}/api_keys#*", attributes: map[string]attributeChange{
		"name":              {``, `name = "b"`, "name", "b", ""},
		"rotation_triggers": {`rotation_triggers = { a = "1" }`, `rotation_triggers = { a = "2" }`, "name", "a", ""},
		"org_id":            {``, `org_id = "$other_org"`, "name", "a", ""},
		"project_id":        {``, `project_id = "$project"`, "project_id", "$project", ""},
	}},

	"neon_claimable_database": {needs: `ref = "a"`, at: "/database/{id}#", attributes: timed(map[string]attributeChange{
		"ref":                        {``, `ref = "b"`, "", "", ""},
		"enable_logical_replication": {``, `enable_logical_replication = true`, "", "", ""},
		"seed":                       {``, `seed = ` + seed, "", "", ""},
		"seed.path":                  {`seed = ` + seed, `seed = { type = "sql-script", path = "$other_file" }`, "", "", ""},
		// There is one type of seed.
		"seed.type": {``, `seed = ` + seed, "", "", ""},
	}, "create")},
}
