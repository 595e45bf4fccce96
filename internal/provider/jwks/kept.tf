resource "neon_jwks_url" "auth" {
  project_id    = neon_project.plain.id
  branch_id     = neon_branch.bare.id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
  jwt_audience  = "shop"
  role_names    = [neon_role.reader.name]
  timeouts      = { create = "5m" }
}
