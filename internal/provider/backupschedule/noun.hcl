# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Backups"

page "neon_branch_backup_schedule" {}

resource "neon_branch_backup_schedule" {
  identity  = ["project_id", "branch_id"]
  listed_as = "main"
  fixed     = ["branch_id"]
  no_calls  = "TestAccBackupSchedule_lostAnswers"
  few       = "each is read by a request of its own"
  together  = [["schedule"]]
  places    = { schedule = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule" }

  needs {
    project_id = "$project"
    branch_id  = "$main"
    schedule   = [{ frequency = "daily" }]
  }

  chaos {
    objects    = "backup_schedules"
    called     = "backup schedule of branch {branch_id}"
    path       = "/projects/{project_id}/branches/{branch_id}/backup_schedule"
    becomes    = ["schedule"]
    body       = { schedule = [] }
    is_emptied = true
    first      = true
  }

  change "branch_id" {
    after = "$root"
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
    want  = "[map[frequency:daily retention_seconds:3024000]]"
  }
  change "project_id" {
    after = "$other_project"
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
    want  = "[map[frequency:daily retention_seconds:3024000]]"
  }
  change "schedule" { after = [{ frequency = "weekly" }] }
  change "schedule.day" { after = 5 }
  change "schedule.frequency" { after = "weekly" }
  change "schedule.hour" { after = 5 }
  change "schedule.month" { after = 5 }
  change "schedule.retention_seconds" { after = 7200 }
}
