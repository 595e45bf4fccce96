variable "project_id" {
  type = string
}

data "neon_snapshots" "all" {
  project_id = var.project_id
}

output "manual_snapshots" {
  value = [for snapshot in data.neon_snapshots.all.snapshots : snapshot.name if snapshot.manual]
}
