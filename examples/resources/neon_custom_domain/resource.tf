terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  type = string
}

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs
}

resource "neon_custom_domain" "api" {
  project_id    = var.project_id
  branch_id     = neon_function.api.branch_id
  domain        = "api.example.com"
  function_slug = neon_function.api.slug
}

# For the provider of your DNS zone. On Cloudflare, the record must be DNS only:
#
#   resource "cloudflare_dns_record" "api" {
#     zone_id = var.zone_id
#     type    = neon_custom_domain.api.dns_records[0].type
#     name    = neon_custom_domain.api.dns_records[0].name
#     content = neon_custom_domain.api.dns_records[0].value
#     ttl     = 1
#     proxied = false
#   }
output "dns_records" {
  value = neon_custom_domain.api.dns_records
}
