# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Private Networking"
leads_to = ["project"]

page "neon_vpc_endpoint" {
  key = "Needs a personal API key. Neon doesn't say whether an organization's key is enough."
}

page "neon_vpc_endpoints" {
  key = "Needs a personal API key. Neon doesn't say whether an organization's key is enough."
}

page "neon_vpc_endpoint_assignment" {
  keys = {
    "Resource" = "Needs a personal API key of an administrator of the organization. Neon doesn't say whether an organization's key is enough."
    "List Resource" = "Needs a personal API key of an administrator of the organization. Neon doesn't say whether an organization's key is enough."
  }
}

page "neon_vpc_endpoint_restriction" {}

page "neon_vpc_endpoint_restrictions" {}

resource "neon_vpc_endpoint_assignment" {
  identity = ["org_id", "region_id", "vpc_endpoint_id"]
  no_calls = "the tests of its folder let its calls fail"
  few = "each is read by a request of its own, which returns its label"
  at = "/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}#"
  needs = <<-EOT
      org_id = "$org"
      region_id = "aws-us-east-2"
      vpc_endpoint_id = "vpce-0c3"
      deletion_protection = false
    EOT
  whole = "label = \"a\""
  found_by = ["id", "org_id", "region_id", "vpc_endpoint_id"]
  fixed = ["vpc_endpoint_id", "region_id"]

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "label" {
    before = "label = \"a\""
    after = "label = \"b\""
    field = "label"
    want = "b"
  }

  change "org_id" {
    after = "org_id = \"$other_org\""
    field = "vpc_endpoint_id"
    want = "vpce-0c3"
  }

  change "region_id" {
    after = "region_id = \"aws-eu-central-1\""
    field = "vpc_endpoint_id"
    want = "vpce-0c3"
  }

  change "vpc_endpoint_id" {
    after = "vpc_endpoint_id = \"vpce-0d4\""
    field = "vpc_endpoint_id"
    want = "vpce-0d4"
  }
}

resource "neon_vpc_endpoint_restriction" {
  identity = ["project_id", "vpc_endpoint_id"]
  at = "/projects/{project_id}/vpc_endpoints#endpoints.*"
  needs = <<-EOT
      project_id = "$project"
      vpc_endpoint_id = "vpce-0a1"
    EOT
  whole = "label = \"a\""
  found_by = ["id", "project_id", "vpc_endpoint_id"]
  fixed = ["vpc_endpoint_id"]
  several = <<-EOT
      project_id = "$project"
      vpc_endpoint_id = "vpce-0a$n"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/vpc_endpoints"
    single = "/api/v2/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}"
    creation = "/api/v2/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}"
  }

  change "label" {
    before = "label = \"a\""
    after = "label = \"b\""
    field = "label"
    want = "b"
  }

  change "project_id" {
    after = "project_id = \"$other_project\""
    field = "vpc_endpoint_id"
    want = "vpce-0a1"
  }

  change "vpc_endpoint_id" {
    after = "vpc_endpoint_id = \"vpce-0b2\""
    field = "vpc_endpoint_id"
    want = "vpce-0b2"
  }
}
