# Works in the one project only, and only while Terraform runs.
ephemeral "neon_org_api_key" "run" {
  project_id = var.project_id
  name       = "terraform-run"
}

provider "neon" {
  alias   = "run"
  api_key = ephemeral.neon_org_api_key.run.key
}

resource "neon_branch" "staging" {
  provider   = neon.run
  project_id = var.project_id
  name       = "staging"
}
