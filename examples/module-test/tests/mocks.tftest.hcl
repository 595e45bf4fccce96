mock_provider "neon" {
  # Only where a value matters.
  mock_resource "neon_project" {
    defaults = { id = "wispy-meadow-12345678" }
  }
}

variables {
  name = "shop"
}

run "plans" {
  command = plan

  assert {
    condition     = neon_project.this.name == "shop"
    error_message = "The project has another name."
  }
}

run "applies" {
  assert {
    condition     = neon_branch.staging.project_id == "wispy-meadow-12345678"
    error_message = "The branch is in another project."
  }
  assert {
    condition     = neon_branch.staging.parent_id == neon_project.this.default_branch.id
    error_message = "The branch doesn't begin from the default branch."
  }
}
