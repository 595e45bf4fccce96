terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# Everything can come from the environment instead: NEON_API_KEY, NEON_ORG_ID, ...
provider "neon" {
  api_key = var.neon_api_key
  org_id  = var.org_id
}

variable "neon_api_key" {
  description = "A personal or organization API key."
  type        = string
  sensitive   = true
}

variable "org_id" {
  description = "The organization that resources belong to unless they say otherwise."
  type        = string
}

# Any data source shows that the key works.
data "neon_projects" "all" {}
