resource "neon_bucket" "media" {
  project_id          = neon_project.plain.id
  branch_id           = neon_project.plain.default_branch.id
  name                = "media"
  deletion_protection = true
}

resource "neon_bucket_object" "logo" {
  project_id   = neon_project.plain.id
  branch_id    = neon_bucket.media.branch_id
  bucket_name  = neon_bucket.media.name
  key          = "logo.svg"
  source       = "${path.module}/logo.svg"
  content_type = "image/svg+xml"
}
