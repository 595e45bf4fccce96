# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Backups"

page "neon_branch_backup_schedule" {}

resource "neon_branch_backup_schedule" {
  identity  = ["project_id", "branch_id"]
  listed_as = "main"
  fixed     = ["branch_id"]
  no_calls  = "TestAccBackupSchedule_lostAnswers"
  few       = "each is read by a request of its own"

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
    after {
      project_id = "$other_project"
      branch_id  = "$other_main"
    }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
    want  = "[map[frequency:daily retention_seconds:3024000]]"
  }
  change "schedule" {
    after = [{ frequency = "weekly" }]
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
  change "schedule.day" {
    after { schedule = [{ frequency = "daily", day = 5 }] }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
  change "schedule.frequency" {
    after { schedule = [{ frequency = "weekly" }] }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
  change "schedule.hour" {
    after { schedule = [{ frequency = "daily", hour = 5 }] }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
  change "schedule.month" {
    after { schedule = [{ frequency = "daily", month = 5 }] }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
  change "schedule.retention_seconds" {
    after { schedule = [{ frequency = "daily", retention_seconds = 7200 }] }
    field = "/projects/{project_id}/branches/{branch_id}/backup_schedule#schedule"
  }
}
