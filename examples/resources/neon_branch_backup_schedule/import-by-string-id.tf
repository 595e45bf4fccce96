# The project's id and the branch's id.
import {
  to = neon_branch_backup_schedule.main
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4"
}
