resource "neon_auth" "plain" {
  project_id             = neon_project.plain.id
  branch_id              = neon_project.plain.default_branch.id
  delete_data_on_destroy = true
  magic_link             = { enabled = true }
}

resource "neon_auth_oauth_provider" "google" {
  project_id     = neon_project.plain.id
  branch_id      = neon_auth.plain.branch_id
  oauth_provider = "google"
}

resource "neon_auth_trusted_domain" "shop" {
  project_id = neon_project.plain.id
  branch_id  = neon_auth.plain.branch_id
  domain     = "https://shop.example.com"
}
