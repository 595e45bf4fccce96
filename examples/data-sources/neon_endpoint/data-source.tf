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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# The endpoint that the application writes to.
data "neon_endpoint" "writer" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
}

output "largest_compute" {
  value = data.neon_endpoint.writer.autoscaling_limit_max_cu
}
