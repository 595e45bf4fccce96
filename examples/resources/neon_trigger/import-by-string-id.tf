# The ids of the project and the branch, and that of the trigger.
import {
  to = neon_trigger.nightly
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/trigger-4a4f0a0e-8a2f-4f0e-9b1e-0f6c1c2d3e4f"
}
