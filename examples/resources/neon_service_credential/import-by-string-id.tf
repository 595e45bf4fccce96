# The ids of the project, the branch and the credential.
import {
  to = neon_service_credential.app
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/nak_live_0123456789abcdef0123456789abcdef"
}
