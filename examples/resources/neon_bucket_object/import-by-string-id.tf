import {
  to = neon_bucket_object.config
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/uploads/config/main.tf"
}
