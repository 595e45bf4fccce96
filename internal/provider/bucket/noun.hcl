# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"
leads_to = ["credential"]

page "neon_bucket" {}

page "neon_buckets" {}

page "neon_bucket_object" {}

page "neon_branch_storage" {}

page "neon_ai_gateway" {}

resource "neon_bucket" {
  identity = ["project_id", "branch_id", "name"]
  at = "/projects/{project_id}/branches/{branch_id}/buckets#buckets.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "a"
    EOT
  whole = <<-EOT
      access_level = "public_read"
      force_destroy = true
      deletion_protection = false
    EOT
  found_by = ["id", "project_id", "branch_id", "name"]
  fixed = ["name"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "app$n"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/buckets"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}"
  }

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "access_level"
    want = "private"
  }

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "access_level"
    want = "private"
  }

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "access_level" {
    after = "access_level = \"public_read\""
    field = "access_level"
    want = "public_read"
  }

  change "force_destroy" {
    after = "force_destroy = true"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }
}

resource "neon_bucket_object" {
  identity = ["project_id", "branch_id", "bucket_name", "key"]
  not_listed = "the objects of a bucket are its users', and may be any number"
  no_calls = "the tests of its folder let its calls fail"
  at = "/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects#objects.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      bucket_name = "media"
      key = "a"
      source = "$file"
    EOT
  whole = <<-EOT
      content_type = "text/plain"
      overwrite = true
    EOT
  found_by = ["id", "project_id", "branch_id", "bucket_name", "key"]
  fixed = ["key"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      bucket_name = "media"
      key = "app$n"
      source = "$${path.module}/main.tf"
    EOT

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "size"
    want = "9"
  }

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "size"
    want = "9"
  }

  change "bucket_name" {
    after = "bucket_name = \"other\""
    field = "size"
    want = "9"
  }

  change "key" {
    after = "key = \"b/c\""
    field = "size"
    want = "9"
  }

  change "source" {
    after = "source = \"$other_file\""
    field = "size"
    want = "9"
  }

  change "content" {
    before = "source = null\ncontent = \"12345678\""
    after = "source = null\ncontent = \"123456789\""
    field = "size"
    want = "9"
  }

  change "overwrite" {
    after = "overwrite = true"
  }

  change "content_type" {
    after = "content_type = \"text/plain\""
    field = "size"
    want = "9"
  }
}
