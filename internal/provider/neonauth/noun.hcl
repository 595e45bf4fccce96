# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Applications"
leads_to = ["dataapi"]

page "neon_auth" {}

page "neon_auth_oauth_provider" {}

page "neon_auth_trusted_domain" {}

page "neon_send_auth_test_email" {}

resource "neon_auth" {
  identity = ["project_id", "branch_id"]
  unmoved = true
  no_calls = "the tests of its folder let its calls fail"
  each = ["GET /api/v2/projects/{project_id}/branches/{branch_id}/auth", "GET /api/v2/projects/{project_id}/branches/{branch_id}/auth/plugins", "GET /api/v2/projects/{project_id}/branches/{branch_id}/auth/webhooks"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$branch"
    EOT
  at = "/projects/{project_id}/branches/{branch_id}/auth/plugins#"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      delete_data_on_destroy = true
    EOT
  whole = <<-EOT
      allow_localhost = true
      email_and_password = { enabled = true }
      magic_link = { enabled = true }
      phone_number = { enabled = true }
      organization = { enabled = true }
      email_provider = { type = "standard", host = "a", port = 1, username = "a", sender_email = "a@b", sender_name = "a" }
      email_provider_password_wo = "a"
      email_provider_password_wo_version = 1
      webhook = { enabled = true, url = "https://a", events = ["send.otp"], timeout_seconds = 2 }
    EOT
  found_by = ["id", "project_id", "branch_id"]

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "/projects/{project_id}/branches/{branch_id}/auth#db_name"
    want = "neondb"
  }

  change "branch_id" {
    after = "branch_id = \"$root\""
    field = "/projects/{project_id}/branches/{branch_id}/auth#db_name"
    want = "neondb"
  }

  change "database_name" {
    before = "database_name = \"neondb\""
    refused = "database_name = \"other\""
  }

  change "allow_localhost" {
    before = "allow_localhost = true"
    after = "allow_localhost = false"
    field = "allow_localhost"
    want = "false"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "delete_data_on_destroy" {
    after = "delete_data_on_destroy = false"
  }

  change "email_provider_password_wo" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"b\"\nemail_provider_password_wo_version = 2"
    field = "email_provider.password"
    want = "b"
  }

  change "email_provider_password_wo_version" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"b\"\nemail_provider_password_wo_version = 2"
    field = "email_provider.password"
    want = "b"
  }

  change "email_and_password" {
    before = "email_and_password = { enabled = true }"
    after = "email_and_password = { enabled = false }"
    field = "email_and_password.enabled"
    want = "false"
  }

  change "email_and_password.enabled" {
    before = "email_and_password = { enabled = true }"
    after = "email_and_password = { enabled = false }"
    field = "email_and_password.enabled"
    want = "false"
  }

  change "email_and_password.email_verification_method" {
    before = "email_and_password = { email_verification_method = \"otp\" }"
    after = "email_and_password = { email_verification_method = \"link\" }"
    field = "email_and_password.email_verification_method"
    want = "link"
  }

  change "email_and_password.require_email_verification" {
    before = "email_and_password = { require_email_verification = false }"
    after = "email_and_password = { require_email_verification = true }"
    field = "email_and_password.require_email_verification"
    want = "true"
  }

  change "email_and_password.auto_sign_in_after_verification" {
    before = "email_and_password = { auto_sign_in_after_verification = true }"
    after = "email_and_password = { auto_sign_in_after_verification = false }"
    field = "email_and_password.auto_sign_in_after_verification"
    want = "false"
  }

  change "email_and_password.send_verification_email_on_sign_up" {
    before = "email_and_password = { send_verification_email_on_sign_up = false }"
    after = "email_and_password = { send_verification_email_on_sign_up = true }"
    field = "email_and_password.send_verification_email_on_sign_up"
    want = "true"
  }

  change "email_and_password.send_verification_email_on_sign_in" {
    before = "email_and_password = { send_verification_email_on_sign_in = false }"
    after = "email_and_password = { send_verification_email_on_sign_in = true }"
    field = "email_and_password.send_verification_email_on_sign_in"
    want = "true"
  }

  change "email_and_password.disable_sign_up" {
    before = "email_and_password = { disable_sign_up = false }"
    after = "email_and_password = { disable_sign_up = true }"
    field = "email_and_password.disable_sign_up"
    want = "true"
  }

  change "magic_link" {
    before = "magic_link = { enabled = false }"
    after = "magic_link = { enabled = true }"
    field = "magic_link.enabled"
    want = "true"
  }

  change "magic_link.enabled" {
    before = "magic_link = { enabled = false }"
    after = "magic_link = { enabled = true }"
    field = "magic_link.enabled"
    want = "true"
  }

  change "magic_link.expires_in" {
    before = "magic_link = { expires_in = 6 }"
    after = "magic_link = { expires_in = 7 }"
    field = "magic_link.expires_in"
    want = "7"
  }

  change "magic_link.disable_sign_up" {
    before = "magic_link = { disable_sign_up = false }"
    after = "magic_link = { disable_sign_up = true }"
    field = "magic_link.disable_sign_up"
    want = "true"
  }

  change "phone_number" {
    before = "phone_number = { enabled = false }"
    after = "phone_number = { enabled = true }"
    field = "phone_number.enabled"
    want = "true"
  }

  change "phone_number.enabled" {
    before = "phone_number = { enabled = false }"
    after = "phone_number = { enabled = true }"
    field = "phone_number.enabled"
    want = "true"
  }

  change "phone_number.otp_expires_in" {
    before = "phone_number = { otp_expires_in = 60 }"
    after = "phone_number = { otp_expires_in = 90 }"
    field = "phone_number.otp_expires_in"
    want = "90"
  }

  change "organization" {
    before = "organization = { enabled = true }"
    after = "organization = { enabled = false }"
    field = "organization.enabled"
    want = "false"
  }

  change "organization.enabled" {
    before = "organization = { enabled = true }"
    after = "organization = { enabled = false }"
    field = "organization.enabled"
    want = "false"
  }

  change "organization.organization_limit" {
    before = "organization = { organization_limit = 1 }"
    after = "organization = { organization_limit = 2 }"
    field = "organization.organization_limit"
    want = "2"
  }

  change "organization.membership_limit" {
    before = "organization = { membership_limit = 1 }"
    after = "organization = { membership_limit = 2 }"
    field = "organization.membership_limit"
    want = "2"
  }

  change "organization.creator_role" {
    before = "organization = { creator_role = \"owner\" }"
    after = "organization = { creator_role = \"admin\" }"
    field = "organization.creator_role"
    want = "admin"
  }

  change "organization.send_invitation_email" {
    before = "organization = { send_invitation_email = false }"
    after = "organization = { send_invitation_email = true }"
    field = "organization.send_invitation_email"
    want = "true"
  }

  change "email_provider" {
    before = "email_provider = { type = \"shared\" }"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.type"
    want = "standard"
  }

  change "email_provider.type" {
    before = "email_provider = { type = \"shared\" }"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.type"
    want = "standard"
  }

  change "email_provider.host" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"b\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.host"
    want = "b"
  }

  change "email_provider.port" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 25, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 465, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.port"
    want = "465"
  }

  change "email_provider.username" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"b\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.username"
    want = "b"
  }

  change "email_provider.sender_email" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"b@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.sender_email"
    want = "b@b"
  }

  change "email_provider.sender_name" {
    before = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"a\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    after = "email_provider = { type = \"standard\", host = \"a\", port = 1, username = \"a\", sender_email = \"a@b\", sender_name = \"b\" }\nemail_provider_password_wo = \"a\"\nemail_provider_password_wo_version = 1"
    field = "email_provider.sender_name"
    want = "b"
  }

  change "webhook" {
    before = "webhook = { enabled = false }"
    after = "webhook = { enabled = true, url = \"https://a\" }"
    field = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#enabled"
    want = "true"
  }

  change "webhook.enabled" {
    before = "webhook = { enabled = false }"
    after = "webhook = { enabled = true, url = \"https://a\" }"
    field = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#enabled"
    want = "true"
  }

  change "webhook.url" {
    before = "webhook = { url = \"https://a\" }"
    after = "webhook = { url = \"https://b\" }"
    field = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#webhook_url"
    want = "https://b"
  }

  change "webhook.events" {
    before = "webhook = { events = [\"send.otp\"] }"
    after = "webhook = { events = [\"user.created\"] }"
    field = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#enabled_events"
    want = "[user.created]"
  }

  change "webhook.timeout_seconds" {
    before = "webhook = { timeout_seconds = 2 }"
    after = "webhook = { timeout_seconds = 3 }"
    field = "/projects/{project_id}/branches/{branch_id}/auth/webhooks#timeout_seconds"
    want = "3"
  }
}

resource "neon_auth_oauth_provider" {
  identity = ["project_id", "branch_id", "oauth_provider"]
  unmoved = true
  no_calls = "the tests of its folder let its calls fail"
  few = "a branch has four at most, which one list returns"
  at = "/projects/{project_id}/branches/{branch_id}/auth/oauth_providers#providers.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$authed"
      oauth_provider = "google"
    EOT
  whole = <<-EOT
      client_id = "a"
      client_secret_wo = "a"
      client_secret_wo_version = 1
    EOT
  excluded = ["microsoft_tenant_id"]
  found_by = ["id", "project_id", "branch_id", "oauth_provider"]
  fixed = ["id"]

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$elsewhere\""
    field = "type"
    want = "shared"
  }

  change "branch_id" {
    after = "branch_id = \"$rooted\""
    field = "type"
    want = "shared"
  }

  change "oauth_provider" {
    after = "oauth_provider = \"github\""
    field = "id"
    want = "github"
  }

  change "client_id" {
    before = "client_id = \"a\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1"
    after = "client_id = \"b\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1"
    field = "client_id"
    want = "b"
  }

  change "client_secret_wo" {
    before = "client_id = \"a\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1"
    after = "client_id = \"a\"\nclient_secret_wo = \"2\"\nclient_secret_wo_version = 2"
    field = "client_secret"
    want = "2"
  }

  change "client_secret_wo_version" {
    before = "client_id = \"a\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1"
    after = "client_id = \"a\"\nclient_secret_wo = \"2\"\nclient_secret_wo_version = 2"
    field = "client_secret"
    want = "2"
  }

  change "microsoft_tenant_id" {
    before = "oauth_provider = \"microsoft\"\nclient_id = \"a\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1\nmicrosoft_tenant_id = \"a\""
    after = "oauth_provider = \"microsoft\"\nclient_id = \"a\"\nclient_secret_wo = \"1\"\nclient_secret_wo_version = 1\nmicrosoft_tenant_id = \"b\""
    field = "type"
    want = "standard"
  }
}

resource "neon_auth_trusted_domain" {
  identity = ["project_id", "branch_id", "domain"]
  unmoved = true
  no_calls = "the tests of its folder let its calls fail"
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      domain = "https://a$n.example.com"
    EOT
  at = "/projects/{project_id}/branches/{branch_id}/auth/domains#domains.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$authed"
      domain = "https://a.example.com"
    EOT
  found_by = ["id", "project_id", "branch_id", "domain"]
  fixed = ["domain"]

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$elsewhere\""
    field = "domain"
    want = "https://a.example.com"
  }

  change "branch_id" {
    after = "branch_id = \"$rooted\""
    field = "domain"
    want = "https://a.example.com"
  }

  change "domain" {
    after = "domain = \"https://b.example.com\""
    field = "domain"
    want = "https://b.example.com"
  }
}
