variable "org_id" {
  type = string
}

data "neon_organization" "team" {
  org_id = var.org_id
}

output "team_plan" {
  value = data.neon_organization.team.plan
}
