# A tour of the provider. Everything that it needs to know about the account comes
# from the environment: NEON_API_KEY and NEON_ORG_ID.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

provider "neon" {}

# A project, with the branch, endpoint, role and database that Neon creates with it.
resource "neon_project" "tour" {
  name           = "quickstart"
  default_branch = { name = "main" }
}

# A role that owns a database. Its password is never in the state.
resource "neon_role" "app" {
  project_id = neon_project.tour.id
  branch_id  = neon_project.tour.default_branch.id
  name       = "app"
}

resource "neon_database" "app" {
  project_id = neon_project.tour.id
  branch_id  = neon_project.tour.default_branch.id
  name       = "app"
  owner_name = neon_role.app.name
}

# A key that acts for whoever NEON_API_KEY belongs to.
resource "neon_api_key" "deploy" {
  name = "quickstart-deploy"
}

# A key for the organization, and one that sees nothing but the project.
resource "neon_org_api_key" "platform" {
  name = "quickstart-platform"
}

resource "neon_org_api_key" "project" {
  name       = "quickstart-project"
  project_id = neon_project.tour.id
}

# A branch of the project's default branch, with two compute endpoints.
resource "neon_branch" "preview" {
  project_id = neon_project.tour.id
  name       = "quickstart"

  endpoints = {
    primary = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 1
      suspend_timeout_seconds  = var.suspend_timeout_seconds
    }
    replica = {
      type = "read_only"
    }
  }
}

# A database for 72 hours, in no account at all.
resource "neon_claimable_database" "trial" {
  ref = "terraform-demo"
}

data "neon_projects" "all" {
  depends_on = [neon_project.tour]
}

data "neon_operations" "recent" {
  project_id  = neon_project.tour.id
  max_results = 10
}
