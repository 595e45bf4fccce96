terraform {
  required_version = ">= 1.14"

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

variable "schema_version" {
  type    = string
  default = "1"
}

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
  endpoints  = { primary = { type = "read_write" } }
}

resource "neon_data_api" "shop" {
  project_id    = var.project_id
  branch_id     = neon_branch.staging.id
  database_name = "neondb"
}

# Also by hand: terraform apply -invoke=action.neon_refresh_data_api_schema.shop
action "neon_refresh_data_api_schema" "shop" {
  config {
    project_id    = var.project_id
    branch_id     = neon_branch.staging.id
    database_name = neon_data_api.shop.database_name
  }
}

# Whatever migrates the schema. Any resource can have the trigger.
resource "terraform_data" "migration" {
  input = var.schema_version

  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.neon_refresh_data_api_schema.shop]
    }
  }
}
