package project

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func returnedFloat(text string) schema.Attribute {
	return schema.Float64Attribute{MarkdownDescription: text, Computed: true}
}

func returnedObject(text string, attributes map[string]schema.Attribute) schema.Attribute {
	return schema.SingleNestedAttribute{MarkdownDescription: text, Computed: true, Attributes: attributes}
}

// returnedSettings are the attributes of settingsModel that data sources return.
func returnedSettings() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"quota": returnedObject("The most that the project may use in a billing period; `0` is no limit.",
			map[string]schema.Attribute{
				"active_time_seconds":  kit.ReturnedInt("Seconds that the compute endpoints are active."),
				"compute_time_seconds": kit.ReturnedInt("Seconds of the processor that the compute endpoints use."),
				"written_data_bytes":   kit.ReturnedInt("Bytes that are written."),
				"data_transfer_bytes":  kit.ReturnedInt("Bytes that are transferred out of Neon."),
				"logical_size_bytes":   kit.ReturnedInt("Bytes of data that each branch holds."),
			}),
		"allowed_ips":                         kit.ReturnedTexts("Addresses that may connect; none means all."),
		"allowed_ips_protected_branches_only": kit.ReturnedBool("Whether `allowed_ips` count for protected branches only."),
		"block_public_connections":            kit.ReturnedBool("Whether connections from the internet are refused."),
		"block_vpc_connections":               kit.ReturnedBool("Whether connections from VPC endpoints are refused."),
		"enable_logical_replication": kit.ReturnedBool("Whether the project's databases can be replicated " +
			"logically."),
		"hipaa":           kit.ReturnedBool("Whether the project is subject to HIPAA."),
		"audit_log_level": kit.ReturnedString("What is logged for audits; null for nothing."),
		"maintenance_window": returnedObject("When Neon may restart the project's compute endpoints, in UTC.",
			map[string]schema.Attribute{
				"weekdays": schema.SetAttribute{
					MarkdownDescription: "Days of the week, from 1 for Monday to 7 for Sunday.", Computed: true,
					ElementType: types.Int64Type,
				},
				"start_time": kit.ReturnedString("When the window begins."),
				"end_time":   kit.ReturnedString("When the window ends."),
			}),
		"preload_libraries": compute.ReturnedLibraries(),
	}
}

// allSettings are the settings as Neon has them, neutral ones too.
func allSettings(actual client.ProjectSettings) settingsModel {
	off, unlimited := types.BoolValue(false), types.Int64Value(0)
	prior := settingsModel{
		Quota: &quotaModel{unlimited, unlimited, unlimited, unlimited, unlimited}, AllowedIPs: kit.SetOf(nil),
		AllowedIPsProtectedBranchesOnly: off, BlockPublicConnections: off, BlockVPCConnections: off,
		EnableLogicalReplication: off, HIPAA: off,
	}
	if actual.PreloadLibraries != nil {
		prior.PreloadLibraries = compute.NeutralLibraries()
	}
	return prior.with(actual)
}

// returnedBranch is the default branch that a data source returns.
func returnedBranch() schema.Attribute {
	endpoint := compute.ReturnedEndpointAttributes()
	for _, other := range []string{"type", "current_state", "created_at"} {
		delete(endpoint, other)
	}
	return returnedObject("The project's default branch.", map[string]schema.Attribute{
		"id":        kit.ReturnedString("Id of the branch."),
		"name":      kit.ReturnedString("Name of the branch."),
		"protected": kit.ReturnedBool("Whether the branch is protected."),
		"role_name": kit.ReturnedString("Name of its oldest role, which is mostly the one that was created with the " +
			"project; null for none."),
		"database_name": kit.ReturnedString("Name of its oldest database; null for none."),
		"endpoint":      returnedObject("Its `read_write` compute endpoint; null for none.", endpoint),
	})
}
