package claimable

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	refText         = "Tells Neon who referred the user, such as the name of your project. Must not be empty."
	replicationText = "Whether logical replication is on. Defaults to `false`."
	idText          = "Id of the database, a UUID. Whoever knows it can read the connection strings, without a key."
	projectText     = "Id of the project underneath."
	pooledText      = "URL for pooled connections, with the password."
	directText      = "URL for direct connections, with the password."
	untilClaimed    = " Null once the database is claimed."
	claimText       = "URL to open in a browser to take the database into an account. Anybody who has the URL can do so."
)

// options are what a new database is created with.
type options struct {
	Ref                      types.String `tfsdk:"ref"`
	EnableLogicalReplication types.Bool   `tfsdk:"enable_logical_replication"`
}

// access is how to use a database, and how to claim it.
type access struct {
	ID                     types.String `tfsdk:"id"`
	ProjectID              types.String `tfsdk:"project_id"`
	ConnectionString       types.String `tfsdk:"connection_string"`
	DirectConnectionString types.String `tfsdk:"direct_connection_string"`
	ClaimURL               types.String `tfsdk:"claim_url"`
}

func newAccess(database *client.ClaimableDatabase) access {
	a := access{
		ID: types.StringValue(database.ID), ProjectID: kit.OptionalString(database.ProjectID),
		ClaimURL: kit.OptionalString(database.ClaimURL),
	}
	if pooled := database.ConnectionString; pooled != nil && *pooled != "" {
		a.ConnectionString = types.StringValue(*pooled)
		a.DirectConnectionString = types.StringValue(client.DirectConnectionString(*pooled))
	}
	return a
}

// dataModel is all that Neon says of a database. It says neither who referred nor whether
// logical replication is on.
type dataModel struct {
	access

	Status    types.String      `tfsdk:"status"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt timetypes.RFC3339 `tfsdk:"updated_at"`
}

func newDataModel(database *client.ClaimableDatabase) dataModel {
	return dataModel{
		access: newAccess(database), Status: types.StringValue(database.Status),
		ExpiresAt: kit.OptionalTime(database.ExpiresAt),
		CreatedAt: kit.OptionalTime(&database.CreatedAt), UpdatedAt: kit.OptionalTime(&database.UpdatedAt),
	}
}
