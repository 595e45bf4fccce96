# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Applications"

page "neon_auth" {}
page "neon_auth_oauth_provider" {}
page "neon_auth_trusted_domain" {}
page "neon_send_auth_test_email" {}

resource "neon_auth" {
  identity   = ["project_id", "branch_id"]
  listed_as  = "main"
  unmoved    = true
  fixed      = []
  at         = "/projects/{project_id}/branches/{branch_id}/auth/plugins#"
  local      = ["deletion_protection", "delete_data_on_destroy"]
  unreturned = ["project_id", "branch_id"]
  no_calls   = "TestAccAuth_lostAnswers"
  each = [
    "GET /api/v2/projects/{project_id}/branches/{branch_id}/auth",
    "GET /api/v2/projects/{project_id}/branches/{branch_id}/auth/plugins",
    "GET /api/v2/projects/{project_id}/branches/{branch_id}/auth/webhooks",
  ]
  together = [["email_provider", "email_provider_password_wo", "email_provider_password_wo_version"]]
  places   = { webhook = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#" }

  needs {
    project_id             = "$project"
    branch_id              = "$main"
    delete_data_on_destroy = true
  }
  whole {
    allow_localhost                    = true
    email_and_password                 = { enabled = true }
    magic_link                         = { enabled = true }
    phone_number                       = { enabled = true }
    organization                       = { enabled = true }
    email_provider                     = { type = "standard", host = "a", port = 1, username = "a", sender_email = "a@b", sender_name = "a" }
    email_provider_password_wo         = "a"
    email_provider_password_wo_version = 1
    webhook                            = { enabled = true, url = "https://a", events = ["send.otp"], timeout_seconds = 2 }
  }
  several { branch_id = "$branch" }

  chaos {
    objects  = "auths"
    creation = "/api/v2/projects/{project_id}/branches/{branch_id}/auth"
    called   = "Neon Auth on branch {branch_id}"
    path     = "/projects/{project_id}/branches/{branch_id}/auth"
    body     = { delete_data = true }
    becomes  = ["allow_localhost"]
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$root" }
  change "database_name" {
    before  = "neondb"
    refused = "other"
  }
  change "allow_localhost" { values = [true, false] }
  change "deletion_protection" { values = [true, false] }
  change "delete_data_on_destroy" { after = false }
  change "email_provider_password_wo" {
    before = "a"
    after {
      email_provider_password_wo         = "b"
      email_provider_password_wo_version = 2
    }
    field = "email_provider.password"
  }
  change "email_provider_password_wo_version" {
    before = 1
    after {
      email_provider_password_wo         = "b"
      email_provider_password_wo_version = 2
    }
    field = "email_provider.password"
    want  = "b"
  }
  change "email_and_password" { values = [{ enabled = true }, { enabled = false }] }
  change "email_and_password.enabled" { values = [true, false] }
  change "email_and_password.email_verification_method" { values = ["otp", "link"] }
  change "email_and_password.require_email_verification" { values = [false, true] }
  change "email_and_password.auto_sign_in_after_verification" { values = [true, false] }
  change "email_and_password.send_verification_email_on_sign_up" { values = [false, true] }
  change "email_and_password.send_verification_email_on_sign_in" { values = [false, true] }
  change "email_and_password.disable_sign_up" { values = [false, true] }
  change "magic_link" { values = [{ enabled = false }, { enabled = true }] }
  change "magic_link.enabled" { values = [false, true] }
  change "magic_link.expires_in" { values = [6, 7] }
  change "magic_link.disable_sign_up" { values = [false, true] }
  change "phone_number" { values = [{ enabled = false }, { enabled = true }] }
  change "phone_number.enabled" { values = [false, true] }
  change "phone_number.otp_expires_in" { values = [60, 90] }
  change "organization" { values = [{ enabled = true }, { enabled = false }] }
  change "organization.enabled" { values = [true, false] }
  change "organization.organization_limit" { values = [1, 2] }
  change "organization.membership_limit" { values = [1, 2] }
  change "organization.creator_role" { values = ["owner", "admin"] }
  change "organization.send_invitation_email" { values = [false, true] }
  change "email_provider" {
    before {
      email_provider                     = { type = "shared" }
      email_provider_password_wo         = null
      email_provider_password_wo_version = null
    }
    after = { type = "standard", host = "a", port = 1, username = "a", sender_email = "a@b", sender_name = "a" }
  }
  change "email_provider.type" {
    before {
      email_provider                     = { type = "shared" }
      email_provider_password_wo         = null
      email_provider_password_wo_version = null
    }
    after = "standard"
  }
  change "email_provider.host" { values = ["a", "b"] }
  change "email_provider.port" { values = [25, 465] }
  change "email_provider.username" { values = ["a", "b"] }
  change "email_provider.sender_email" { values = ["a@b", "b@b"] }
  change "email_provider.sender_name" { values = ["a", "b"] }
  change "webhook" {
    values = [{ enabled = false }, { enabled = true, url = "https://a" }]
    field  = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#enabled"
    want   = "true"
  }
  change "webhook.enabled" {
    before = false
    after { webhook = { enabled = true, url = "https://a" } }
  }
  change "webhook.url" {
    values = ["https://a", "https://b"]
    field  = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#webhook_url"
  }
  change "webhook.events" {
    values = [["send.otp"], ["user.created"]]
    field  = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#enabled_events"
  }
  change "webhook.timeout_seconds" { values = [2, 3] }
}

resource "neon_auth_oauth_provider" {
  identity   = ["project_id", "branch_id", "oauth_provider"]
  listed_as  = "{oauth_provider}"
  unmoved    = true
  excluded   = ["microsoft_tenant_id"]
  at         = "/projects/{project_id}/branches/{branch_id}/auth/oauth_providers#providers.*"
  places     = { oauth_provider = "id" }
  unreturned = ["project_id", "branch_id"]
  no_calls   = "TestAccAuth_lostAnswers"
  few        = "a branch has four at most, which one list returns"
  together   = [["client_id", "client_secret_wo", "client_secret_wo_version"]]

  needs {
    project_id     = "$project"
    branch_id      = "$authed"
    oauth_provider = "google"
  }
  whole {
    client_id                = "a"
    client_secret_wo         = "a"
    client_secret_wo_version = 1
  }

  chaos {
    objects = "auth_oauth_providers"
    called  = "OAuth provider \"{provider_name}\" on branch {branch_id}"
    path    = "/projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{provider_name}"
    becomes = ["client_id"]
  }

  change "project_id" {
    after {
      project_id = "$other_project"
      branch_id  = "$elsewhere"
    }
  }
  change "branch_id" { after = "$rooted" }
  change "oauth_provider" { after = "github" }
  change "client_id" { values = ["a", "b"] }
  change "client_secret_wo" {
    before = "1"
    after {
      client_secret_wo         = "2"
      client_secret_wo_version = 2
    }
    field = "client_secret"
  }
  change "client_secret_wo_version" {
    before = 1
    after {
      client_secret_wo         = "2"
      client_secret_wo_version = 2
    }
    field = "client_secret"
  }
  change "microsoft_tenant_id" {
    before {
      oauth_provider      = "microsoft"
      client_id           = "a"
      microsoft_tenant_id = "a"
    }
    after {
      oauth_provider      = "microsoft"
      client_id           = "a"
      microsoft_tenant_id = "b"
    }
    field = "type"
    want  = "standard"
  }
}

resource "neon_auth_trusted_domain" {
  identity   = ["project_id", "branch_id", "domain"]
  listed_as  = "{domain}"
  unmoved    = true
  fixed      = ["domain"]
  at         = "/projects/{project_id}/branches/{branch_id}/auth/domains#domains.*"
  unreturned = ["project_id", "branch_id"]
  no_calls   = "TestAccAuth_lostAnswers"

  needs {
    project_id = "$project"
    branch_id  = "$authed"
    domain     = "https://a.example.com"
  }
  several { domain = "https://a$n.example.com" }

  chaos {
    objects = "auth_trusted_domains"
    called  = "trusted domain \"{domain}\" on branch {branch_id}"
    path    = "/projects/{project_id}/branches/{branch_id}/auth/domains"
    body    = { auth_provider = "better_auth", domains = [{ domain = "{domain}" }] }
  }

  change "project_id" {
    after {
      project_id = "$other_project"
      branch_id  = "$elsewhere"
    }
  }
  change "branch_id" { after = "$rooted" }
  change "domain" { after = "https://b.example.com" }
}
