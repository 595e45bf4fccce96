terraform {
  required_version = ">= 1.10" # ephemeral resources

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  description = "The project that the pipeline works on."
  type        = string
}

resource "neon_org_api_key" "pipeline" {
  project_id = var.project_id
  name       = "pipeline"

  # A new month is a change, and any change replaces the key.
  rotation_triggers = {
    month = formatdate("YYYY-MM", plantimestamp())
  }

  # The old key works until the new one exists.
  lifecycle {
    create_before_destroy = true
  }
}

output "pipeline_key" {
  value     = neon_org_api_key.pipeline.key
  sensitive = true
}
