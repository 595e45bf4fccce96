resource "neon_function" "api" {
  project_id  = neon_project.plain.id
  branch_id   = neon_project.plain.default_branch.id
  slug        = "api"
  source      = "${path.module}/code"
  environment = { A = "1" }
}

resource "neon_trigger" "nightly" {
  project_id    = neon_project.plain.id
  branch_id     = neon_function.api.branch_id
  name          = "nightly"
  function_slug = neon_function.api.slug
  schedule      = { cron = "0 3 * * *" }
}

resource "neon_custom_domain" "api" {
  project_id    = neon_project.plain.id
  branch_id     = neon_function.api.branch_id
  domain        = "api.example.com"
  function_slug = neon_function.api.slug
}
