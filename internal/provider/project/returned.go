package project

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const provisionerText = "What runs the project's compute endpoints, such as `k8s-neonvm`."

// returned are all attributes but the provisioner, a word that Terraform allows in lists only.
func returned(project client.Project) kit.Returned {
	settings := project.Settings
	var quota client.ProjectQuota
	if settings.Quota != nil {
		quota = *settings.Quota
	}
	var allowed client.AllowedIPs
	if settings.AllowedIPs != nil {
		allowed = *settings.AllowedIPs
	}
	window := kit.Decode[windowModel](newWindow(settings.MaintenanceWindow))
	if settings.MaintenanceWindow == nil {
		window.Weekdays = types.SetNull(types.Int64Type)
	}
	return kit.Returned{
		"id":          kit.Returns(kit.ProjectText, types.StringValue(project.ID)),
		"name":        kit.Returns("Name of the project.", types.StringValue(project.Name)),
		"org_id":      kit.Returns("Id of the organization that the project belongs to.", kit.OptionalString(project.OrgID)),
		"platform_id": kit.Returns("The cloud platform, such as `aws`.", kit.OptionalString(project.PlatformID)),
		"region_id":   kit.Returns("The region, such as `aws-us-east-2`.", kit.OptionalString(project.RegionID)),
		"pg_version":  kit.Returns("Major version of PostgreSQL.", types.Int64Value(project.PgVersion)),
		"proxy_host": kit.Returns("Host name of the proxy in front of the project's compute endpoints.",
			kit.OptionalString(project.ProxyHost)),
		"branch_logical_size_limit": kit.Returns("The most data that a branch can hold, in MiB.",
			types.Int64Value(project.BranchLogicalSizeLimit)),
		"store_passwords": kit.Returns("Whether Neon stores the roles' passwords.", types.BoolValue(project.StorePasswords)),
		"history_retention_seconds": kit.Returns("How long Neon keeps the history of the project's data, in seconds.",
			types.Int64PointerValue(project.HistoryRetentionSeconds)),
		"default_endpoint_settings": returnedDefaults(project.DefaultEndpointSettings),
		"created_at":                kit.Returns("When the project was created.", kit.OptionalTime(&project.CreatedAt)),
		"updated_at":                kit.Returns("When the project last changed.", kit.OptionalTime(&project.UpdatedAt)),

		"quota": kit.ReturnsObject("The most that the project may use in a billing period; `0` is no limit.", true,
			returnedQuota(quota)),
		"allowed_ips": kit.Returns("Addresses that may connect; none means all.", kit.SetOf(allowed.IPs)),
		"allowed_ips_protected_branches_only": kit.Returns("Whether `allowed_ips` count for protected branches only.",
			types.BoolValue(allowed.ProtectedBranchesOnly)),
		"block_public_connections": kit.Returns("Whether connections from the internet are refused.",
			types.BoolValue(isOn(settings.BlockPublicConnections))),
		"block_vpc_connections": kit.Returns("Whether connections from VPC endpoints are refused.",
			types.BoolValue(isOn(settings.BlockVPCConnections))),
		"enable_logical_replication": kit.Returns("Whether the project's databases can be replicated logically.",
			types.BoolValue(isOn(settings.EnableLogicalReplication))),
		"hipaa": kit.Returns("Whether the project is subject to HIPAA.", types.BoolValue(isOn(settings.HIPAA))),
		"audit_log_level": kit.Returns("What is logged for audits; null for nothing.",
			kit.OptionalString(settings.AuditLogLevel)),
		"maintenance_window": kit.ReturnsObject("When Neon may restart the project's compute endpoints, in UTC.",
			settings.MaintenanceWindow != nil, kit.Returned{
				"weekdays":   kit.Returns("Days of the week, from 1 for Monday to 7 for Sunday.", window.Weekdays),
				"start_time": kit.Returns("When the window begins.", window.StartTime),
				"end_time":   kit.Returns("When the window ends.", window.EndTime),
			}),
		"preload_libraries": compute.ReturnedLibraries(settings.PreloadLibraries),
	}
}

func returnedQuota(quota client.ProjectQuota) kit.Returned {
	return kit.Returned{
		"active_time_seconds": kit.Returns("Seconds that the compute endpoints are active.",
			types.Int64Value(quota.ActiveTimeSeconds)),
		"compute_time_seconds": kit.Returns("Seconds of the processor that the compute endpoints use.",
			types.Int64Value(quota.ComputeTimeSeconds)),
		"written_data_bytes": kit.Returns("Bytes that are written.", types.Int64Value(quota.WrittenDataBytes)),
		"data_transfer_bytes": kit.Returns("Bytes that are transferred out of Neon.",
			types.Int64Value(quota.DataTransferBytes)),
		"logical_size_bytes": kit.Returns("Bytes of data that each branch holds.", types.Int64Value(quota.LogicalSizeBytes)),
	}
}

func returnedDefaults(defaults client.EndpointDefaults) kit.Field {
	return kit.ReturnsObject("Settings of compute endpoints that are created without their own.", true, kit.Returned{
		"autoscaling_limit_min_cu": kit.Returns("Minimum size, in compute units.",
			types.Float64PointerValue(defaults.AutoscalingLimitMinCU)),
		"autoscaling_limit_max_cu": kit.Returns("Maximum size, in compute units.",
			types.Float64PointerValue(defaults.AutoscalingLimitMaxCU)),
		"suspend_timeout_seconds": kit.Returns("Seconds without activity after which an endpoint is suspended.",
			types.Int64PointerValue(defaults.SuspendTimeoutSeconds)),
		"pg_settings": kit.Returns("Settings of PostgreSQL, by name.", newPgSettings(defaults)),
	})
}

// returnedBranch is the default branch that a data source returns.
func returnedBranch(found defaultBranch) kit.Field {
	var present client.Endpoint
	if found.endpoint != nil {
		present = *found.endpoint
	}
	endpoint := compute.ReturnedEndpoint(present)
	for _, other := range []string{"type", "current_state", "created_at"} {
		delete(endpoint, other)
	}
	return kit.ReturnsObject("The project's default branch.", true, kit.Returned{
		"id":        kit.Returns("Id of the branch.", types.StringValue(found.branch.ID)),
		"name":      kit.Returns("Name of the branch.", types.StringValue(found.branch.Name)),
		"protected": kit.Returns("Whether the branch is protected.", types.BoolValue(found.branch.Protected)),
		"role_name": kit.Returns("Name of its oldest role, which is mostly the one that was created with the project; null "+
			"for none.", kit.OptionalString(found.roleName)),
		"database_name": kit.Returns("Name of its oldest database; null for none.", kit.OptionalString(found.databaseName)),
		"endpoint": kit.ReturnsObject("Its `read_write` compute endpoint; null for none.", found.endpoint != nil,
			endpoint),
	})
}
