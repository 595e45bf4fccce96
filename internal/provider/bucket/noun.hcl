# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"

page "neon_bucket" {}
page "neon_buckets" {}
page "neon_bucket_object" {}
page "neon_branch_storage" {}
page "neon_ai_gateway" {}

resource "neon_bucket" {
  identity   = ["project_id", "branch_id", "name"]
  fixed      = ["name"]
  at         = "/projects/{project_id}/branches/{branch_id}/buckets#buckets.*"
  local      = ["force_destroy", "deletion_protection"]
  unreturned = ["project_id", "branch_id"]
  goes_first = "Neon doesn't say whether a branch has its parent's, and one with objects isn't replaced"

  needs {
    project_id = "$project"
    branch_id  = "$main"
    name       = "a"
  }
  whole {
    access_level        = "public_read"
    force_destroy       = true
    deletion_protection = false
  }
  several { name = "app$n" }

  calls { single = "/api/v2/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}" }

  chaos {
    objects = "buckets"
    called  = "bucket \"{name}\" on branch {branch_id}"
    becomes = ["force_destroy", "access_level"]
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$other_branch" }
  change "name" { after = "b" }
  change "access_level" { after = "public_read" }
  change "force_destroy" { after = true }
  change "deletion_protection" { values = [true, false] }
}

resource "neon_bucket_object" {
  identity   = ["project_id", "branch_id", "bucket_name", "key"]
  not_listed = "the objects of a bucket are its users', and may be any number"
  fixed      = ["key"]
  at         = "/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects#objects.*"
  local      = ["overwrite"]
  unreturned = ["project_id", "branch_id", "bucket_name", "source", "content_type"]
  no_calls   = "TestAccBucketObject_lostThenRefused"

  needs {
    project_id  = "$project"
    branch_id   = "$main"
    bucket_name = "media"
    key         = "a"
    source      = "$file"
  }
  whole {
    content_type = "text/plain"
    overwrite    = true
  }
  several {
    key    = "app$n"
    source = "$file"
  }

  chaos {
    objects  = "bucket_objects"
    called   = "upload of object \"{name}\" to bucket \"{bucket_name}\""
    path     = "/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{name}"
    twinless = true
    becomes  = ["source"]
    differs  = { source = "sha256" }
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$other_branch" }
  change "bucket_name" { after = "other" }
  change "key" { after = "b/c" }
  change "source" { after = "$other_file" }
  change "content" {
    before {
      source  = null
      content = "12345678"
    }
    after {
      source  = null
      content = "123456789"
    }
    field = "size"
    want  = "9"
  }
  change "overwrite" { after = true }
  change "content_type" { after = "text/plain" }
}
