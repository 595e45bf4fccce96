terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

resource "neon_api_key" "deploy" {
  name = "deploy"
}

output "deploy_key" {
  value     = neon_api_key.deploy.key
  sensitive = true
}
