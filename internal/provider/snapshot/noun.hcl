# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Backups"

page "neon_snapshot" {}
page "neon_snapshots" {}
page "neon_create_snapshot" {}
page "neon_restore_snapshot" {}
page "neon_finalize_branch_restore" {}
page "neon_rehearse_restore" {}

resource "neon_snapshot" {
  identity = ["project_id", "id"]
  at       = "/projects/{project_id}/snapshots#snapshots.*"
  local    = ["deletion_protection"]
  timeouts = ["create", "update", "delete"]

  needs {
    project_id = "$project"
    branch_id  = "$main"
  }
  whole {
    name       = "a"
    expires_at = "$tomorrow"
  }
  several {
    branch_id = "$root"
    name      = "app$n"
  }

  calls {
    single   = "/api/v2/projects/{project_id}/snapshots/{snapshot_id}"
    creation = "/api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
    work     = ["create_branch", "create_timeline"]
  }

  chaos {
    objects  = "snapshots"
    called   = "snapshot named \"{name}\" of branch {branch_id}"
    often    = 2
    siblings = true
    becomes  = ["name expires_at"]
    first    = true
  }

  change "branch_id" {
    after = "$root"
    field = "source_branch_id"
  }
  change "deletion_protection" { values = [true, false] }
  change "expires_at" { values = ["$tomorrow", "$overmorrow"] }
  change "lsn" { values = ["0/100", "0/200"] }
  change "name" { values = ["a", "b"] }
  change "project_id" {
    after = "$other_project"
    field = "source_branch_id"
    want  = "$other_main"
  }
  change "slug" { values = ["a", "b"] }
  change "timestamp" { values = ["$earlier", "$later"] }
}
