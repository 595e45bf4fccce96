import {
  to = neon_bucket_object.config
  identity = {
    project_id  = "wispy-meadow-12345678"
    branch_id   = "br-wispy-meadow-a1b2c3d4"
    bucket_name = "uploads"
    key         = "config/main.tf"
  }
}
