# The ids of the project and the branch, and the name of the provider.
import {
  to = neon_auth_oauth_provider.google
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/google"
}
