import {
  to = neon_trigger.nightly
  identity = {
    project_id = "wispy-meadow-12345678"
    branch_id  = "br-wispy-meadow-a1b2c3d4"
    trigger_id = "trigger-4a4f0a0e-8a2f-4f0e-9b1e-0f6c1c2d3e4f"
  }
}
