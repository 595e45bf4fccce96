# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Organizations"

page "neon_org_spending_limit" {
  key = "Needs a personal API key of an administrator of the organization. Neon doesn't say whether an organization's key is enough."
}

resource "neon_org_spending_limit" {
  identity   = ["org_id"]
  not_listed = "an organization has one at most"
  fixed      = []
  at         = "/organizations/{org_id}/billing/spending_limit#"
  no_calls   = "TestAccOrgSpendingLimit_refusalsAndLostAnswers"
  few        = "an organization has one"

  needs {
    org_id               = "$org"
    spending_limit_cents = 100
  }
  several { org_id = "$other_org" }

  chaos {
    objects = "spending_limits"
    called  = "spending limit of organization {org_id}"
    path    = "/organizations/{org_id}/billing/spending_limit"
    becomes = ["spending_limit_cents"]
    first   = true
  }

  change "org_id" {
    after = "$other_org"
    field = "spending_limit_cents"
    want  = "100"
  }
  change "spending_limit_cents" { after = 200 }
}
