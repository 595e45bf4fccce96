# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"

page "neon_function" {}
page "neon_functions" {}
page "neon_redeploy_function" {}
page "neon_trigger" {}
page "neon_triggers" {}
page "neon_custom_domain" {}

resource "neon_function" {
  identity  = ["project_id", "branch_id", "slug"]
  listed_as = "{name|slug}"
  fixed     = ["slug"]
  at        = "/projects/{project_id}/branches/{branch_id}/functions/{slug}#function"
  timeouts  = ["create", "update"]
  no_calls  = "TestAccFunction_faults"
  together  = [["environment_wo", "environment_wo_version"]]

  needs {
    project_id = "$project"
    branch_id  = "$main"
    slug       = "a"
    source     = "$code"
  }
  whole {
    name                   = "an API"
    environment            = { A = "1" }
    environment_wo         = { B = "2" }
    environment_wo_version = 1
  }
  several { slug = "app$n" }

  chaos {
    objects = "functions"
    called  = "deployment of function {name} on branch {branch_id}"
    path    = "/projects/{project_id}/branches/{branch_id}/functions/{key}"
    becomes = ["name source environment"]
    differs = { source = "bundle", environment = "environment" }
  }

  change "project_id" {
    after = "$other_project"
    field = "current_deployment.id"
    want  = "1"
  }
  change "branch_id" {
    after = "$other_branch"
    field = "current_deployment.id"
    want  = "1"
  }
  change "slug" { after = "b" }
  change "name" { values = ["an API", "another"] }
  change "source" {
    after = "$other_code"
    field = "current_deployment.id"
    want  = "2"
  }
  change "runtime" { only = "Neon has one runtime" }
  change "environment" {
    values = [{ A = "1" }, { B = "1" }]
    field  = "active_deployment.environment"
    want   = "[B]"
  }
  change "environment_wo" {
    before = { A = "1" }
    after {
      environment_wo         = { B = "1" }
      environment_wo_version = 2
    }
    field = "active_deployment.environment"
    want  = "[B]"
  }
  change "environment_wo_version" {
    before = 1
    after {
      environment_wo         = { A = "2" }
      environment_wo_version = 2
    }
    field = "active_deployment.id"
  }
}

resource "neon_trigger" {
  identity   = ["project_id", "branch_id", "trigger_id"]
  excluded   = ["storage_object_created", "storage_object_created.bucket_name", "storage_object_created.prefix"]
  fixed      = ["trigger_id"]
  at         = "/projects/{project_id}/branches/{branch_id}/triggers#triggers.*"
  unreturned = ["project_id", "branch_id"]

  needs {
    project_id    = "$project"
    branch_id     = "$main"
    name          = "a"
    function_slug = "api"
    schedule      = { cron = "0 3 * * *" }
  }
  whole {
    function_path = "/jobs"
    enabled       = true
  }
  several { name = "app$n" }

  calls {
    single      = "/api/v2/projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}"
    reads_alone = true
  }

  chaos {
    objects = "triggers"
    called  = "trigger \"{name}\" on branch {branch_id}"
    unique  = true
    becomes = ["name function_slug enabled schedule"]
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$other_branch" }
  change "name" { after = "b" }
  change "function_slug" { after = "web" }
  change "function_path" { after = "/jobs" }
  change "enabled" { after = false }
  change "schedule" { after = { cron = "0 4 * * 1" } }
  change "schedule.cron" { after = "0 4 * * 1" }
  change "storage_object_created" {
    before {
      schedule               = null
      storage_object_created = { bucket_name = "media", prefix = "a" }
    }
    after {
      schedule               = null
      storage_object_created = { bucket_name = "media" }
    }
    field = "storage_object_created.prefix"
    want  = "<nil>"
  }
  change "storage_object_created.bucket_name" {
    before {
      schedule               = null
      storage_object_created = { bucket_name = "media" }
    }
    after {
      schedule               = null
      storage_object_created = { bucket_name = "other" }
    }
  }
  change "storage_object_created.prefix" {
    before {
      schedule               = null
      storage_object_created = { bucket_name = "media", prefix = "a" }
    }
    after {
      schedule               = null
      storage_object_created = { bucket_name = "media", prefix = "b" }
    }
  }
}

resource "neon_custom_domain" {
  identity   = ["project_id", "branch_id", "domain"]
  listed_as  = "{domain}"
  unmoved    = true
  fixed      = ["domain"]
  at         = "/projects/{project_id}/branches/{branch_id}/custom-domains#custom_domains.*"
  places     = { function_slug = "entity_id" }
  unreturned = ["project_id", "branch_id"]

  needs {
    project_id    = "$project"
    branch_id     = "$main"
    domain        = "a.example.com"
    function_slug = "api"
  }
  several { domain = "app$n.example.com" }

  calls { single = "/api/v2/projects/{project_id}/branches/{branch_id}/custom-domains/{domain}" }

  chaos {
    objects      = "custom_domains"
    called       = "custom domain \"{name}\" on branch {branch_id}"
    becomes      = ["function_slug"]
    stays_behind = true
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$other_branch" }
  change "domain" { after = "b.example.com" }
  change "function_slug" { after = "web" }
}
