# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Private Networking"

page "neon_vpc_endpoint" {
  key = "Needs a personal API key. Neon doesn't say whether an organization's key is enough."
}
page "neon_vpc_endpoints" {
  key = "Needs a personal API key. Neon doesn't say whether an organization's key is enough."
}
page "neon_vpc_endpoint_assignment" {
  keys = {
    "Resource"      = "Needs a personal API key of an administrator of the organization. Neon doesn't say whether an organization's key is enough."
    "List Resource" = "Needs a personal API key of an administrator of the organization. Neon doesn't say whether an organization's key is enough."
  }
}
page "neon_vpc_endpoint_restriction" {}
page "neon_vpc_endpoint_restrictions" {}

resource "neon_vpc_endpoint_assignment" {
  identity   = ["org_id", "region_id", "vpc_endpoint_id"]
  listed_as  = "{label|vpc_endpoint_id} ({region_id})"
  fixed      = ["vpc_endpoint_id", "region_id"]
  at         = "/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}#"
  local      = ["deletion_protection"]
  unreturned = ["org_id", "region_id"]
  no_calls   = "TestAccVPCEndpointAssignment_refusalsAndLostAnswers"
  few        = "each is read by a request of its own, which returns its label"

  needs {
    org_id              = "$org"
    region_id           = "aws-us-east-2"
    vpc_endpoint_id     = "vpce-0c3"
    deletion_protection = false
  }
  whole { label = "a" }
  several {
    vpc_endpoint_id = "vpce-0c$n"
    label           = "app$n"
  }

  chaos {
    objects  = "vpc_endpoints"
    called   = "assignment of VPC endpoint {key} to organization {org_id}"
    path     = "/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{key}"
    twinless = true
    becomes  = ["label"]
    once     = true
    first    = true
  }

  change "deletion_protection" { values = [true, false] }
  change "label" { values = ["a", "b"] }
  change "org_id" { after = "$other_org" }
  change "region_id" { after = "aws-eu-central-1" }
  change "vpc_endpoint_id" { after = "vpce-0d4" }
}

resource "neon_vpc_endpoint_restriction" {
  identity   = ["project_id", "vpc_endpoint_id"]
  listed_as  = "{label|vpc_endpoint_id}"
  fixed      = ["vpc_endpoint_id"]
  at         = "/projects/{project_id}/vpc_endpoints#endpoints.*"
  unreturned = ["project_id"]

  needs {
    project_id      = "$project"
    vpc_endpoint_id = "vpce-0a1"
  }
  whole { label = "a" }
  several {
    vpc_endpoint_id = "$vpce"
    label           = "app$n"
  }

  calls {
    single   = "/api/v2/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}"
    creation = "/api/v2/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}"
  }

  chaos {
    objects = "vpc_restrictions"
    called  = "restriction of project {project_id} to VPC endpoint {key}"
    becomes = ["label"]
    first   = true
  }

  change "label" { values = ["a", "b"] }
  change "project_id" { after = "$other_project" }
  change "vpc_endpoint_id" { after = "vpce-0b2" }
}
