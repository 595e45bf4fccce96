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

resource "neon_branch" "preview" {
  project_id = var.project_id
  name       = "preview"
}

data "neon_functions" "all" {
  project_id = var.project_id
  branch_id  = neon_branch.preview.id
}

output "addresses" {
  value = { for function in data.neon_functions.all.functions : function.slug => function.invocation_url }
}
