# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Backups"
leads_to = ["backupschedule", "branch"]

page "neon_snapshot" {}

page "neon_snapshots" {}

page "neon_create_snapshot" {}

page "neon_restore_snapshot" {}

page "neon_finalize_branch_restore" {}

resource "neon_snapshot" {
  identity = ["project_id", "id"]
  at = "/projects/{project_id}/snapshots#snapshots.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
    EOT
  whole = <<-EOT
      name = "a"
      expires_at = "$tomorrow"
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "project_id"]
  fixed = ["id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "app$n"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/snapshots"
    single = "/api/v2/projects/{project_id}/snapshots/{snapshot_id}"
    creation = "/api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
    work = ["create_branch", "create_timeline"]
  }

  timeouts = ["create", "update", "delete"]

  change "branch_id" {
    after = "branch_id = \"$root\""
    field = "source_branch_id"
    want = "$root"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "expires_at" {
    before = "expires_at = \"$tomorrow\""
    after = "expires_at = \"$overmorrow\""
    field = "expires_at"
    want = "$overmorrow"
  }

  change "lsn" {
    before = "lsn = \"0/100\""
    after = "lsn = \"0/200\""
    field = "lsn"
    want = "0/200"
  }

  change "name" {
    before = "name = \"a\""
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "project_id" {
    after = <<-EOT
      project_id = "$other_project"
      branch_id = "$other_main"
    EOT
    field = "source_branch_id"
    want = "$other_main"
  }

  change "slug" {
    before = "slug = \"a\""
    after = "slug = \"b\""
    field = "slug"
    want = "b"
  }

  change "timestamp" {
    before = "timestamp = \"$earlier\""
    after = "timestamp = \"$later\""
    field = "timestamp"
    want = "$later"
  }
}
