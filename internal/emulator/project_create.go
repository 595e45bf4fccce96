package emulator

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var projectCreateRoutes = []route{
	{"POST " + apiRoot + "/projects", forProjects, withBody((*Emulator).createProject)},
}

type projectCreateBody struct {
	Project struct {
		Name     string                       `json:"name" fits:"1..256"`
		Settings wire.Shaped[projectSettings] `json:"settings"`
		Branch   struct {
			Name         string            `json:"name" fits:"1..256"`
			RoleName     string            `json:"role_name"`
			DatabaseName string            `json:"database_name"`
			Annotations  map[string]string `json:"annotations" fits:"..50"`
		} `json:"branch"`
		MinCU            *float64      `json:"autoscaling_limit_min_cu" fits:"units"`
		MaxCU            *float64      `json:"autoscaling_limit_max_cu" fits:"units"`
		Provisioner      string        `json:"provisioner"`
		RegionID         string        `json:"region_id"`
		EndpointDefaults *sentDefaults `json:"default_endpoint_settings"`
		PgVersion        int           `json:"pg_version" fits:"14..18"`
		StorePasswords   *bool         `json:"store_passwords"`
		HistoryRetention *int64        `json:"history_retention_seconds" fits:"0..2592000"`
		OrgID            string        `json:"org_id" fits:"id,empty"`
	} `json:"project" fits:"required"`
}

func (e *Emulator) createProject(c *call, body projectCreateBody) (reply, error) {
	spec, err := e.projectSpec(c, body)
	if err != nil {
		return reply{}, err
	}
	p := e.addProject(spec, c.now)
	b := p.Branches[p.DefaultBranchID]
	endpoint := e.addEndpoint(p, b, endpointSpec{Type: readWrite}, c.now)
	operations := e.schedule(p, c.now, work{b.ID, "", "create_timeline"}, work{b.ID, endpoint.ID, "start_compute"})
	b.States = states{{At: c.now, State: "init"}}.then(operations[0].effectAt(), c.now, "ready")
	endpoint.States = states{{At: c.now, State: "init"}}.then(operations[1].effectAt(), c.now, "active")
	return reply{http.StatusCreated, map[string]any{
		"project":         e.projectByItself(p),
		"connection_uris": []object{e.connection(endpoint, b.Roles[0], b.Databases[0])},
		"roles":           []object{e.viewWithPassword(b, b.Roles[0])},
		"databases":       b.databaseViews(),
		"operations":      operationViews(operations, c.now),
		"branch":          p.branchView(b, c.now, e),
		"endpoints":       []endpointView{e.endpointView(p, endpoint, c.now)},
	}}, nil
}

// projectSpec reads what is asked for, and who asks.
func (e *Emulator) projectSpec(c *call, body projectCreateBody) (projectSpec, error) {
	asked := body.Project
	org, err := e.organization(c, asked.OrgID)
	if err != nil {
		return projectSpec{}, err
	}
	if m := c.callerIn(org); m != nil && slices.Index(projectRoles, roleByDefault(m.Role)) < slices.Index(projectRoles,
		"editor") {
		return projectSpec{}, e.doubtful(doubts.WhatRolesMay, wire.Refuse(http.StatusForbidden, "the role editor in the "+
			"organization is required"))
	}
	of := e.planOf(org)
	roleName := cmp.Or(asked.Branch.RoleName, cmp.Or(asked.Branch.DatabaseName, defaultDatabase)+"_owner")
	if err := cmp.Or(e.checkNewProject(org), of.checkProject(asked.HistoryRetention, asked.Settings),
		checkSettings(nil, asked.Settings),
		e.checkRegion(asked.RegionID), e.checkDatabaseName(asked.Branch.DatabaseName),
		e.checkRoleName(roleName)); err != nil {
		return projectSpec{}, err
	}
	defaults := e.defaultSizes(of)
	set(&defaults.MinCU, asked.MinCU)
	defaults.MaxCU = max(defaults.MaxCU, defaults.MinCU)
	set(&defaults.MaxCU, asked.MaxCU)
	var sent sentDefaults
	set(&sent, asked.EndpointDefaults)
	if err := defaults.merge(of, sent, false); err != nil {
		return projectSpec{}, err
	}
	return projectSpec{
		Name: asked.Name, OrgID: org.ID, OwnerID: c.key.UserID, RegionID: asked.RegionID, Provisioner: asked.Provisioner,
		PostgresVersion: asked.PgVersion, DiscardPasswords: asked.StorePasswords != nil && !*asked.StorePasswords,
		HistoryRetention: asked.HistoryRetention, EndpointDefaults: &defaults, Settings: asked.Settings,
		BranchName: asked.Branch.Name, RoleName: roleName, DatabaseName: asked.Branch.DatabaseName,
		Annotation: asked.Branch.Annotations,
	}, nil
}
