terraform {
  required_version = ">= 1.10"

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

# Valid only while Terraform runs.
ephemeral "neon_service_credential" "upload" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  scopes     = ["storage:write"]
}

resource "terraform_data" "upload" {
  provisioner "local-exec" {
    command = "test -n \"$AWS_ACCESS_KEY_ID\" && test -n \"$AWS_SECRET_ACCESS_KEY\""
    environment = {
      AWS_ACCESS_KEY_ID     = ephemeral.neon_service_credential.upload.token_id
      AWS_SECRET_ACCESS_KEY = ephemeral.neon_service_credential.upload.s3_secret_access_key
    }
  }
}
