# The ids of the project and the branch, the name of the bucket, and the key.
import {
  to = neon_bucket_object.config
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/uploads/config/main.tf"
}
