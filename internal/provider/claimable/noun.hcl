# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Claimable Databases"
leads_to = ["connectionuri"]

page "neon_claimable_database" {
  key = "Needs no API key."
}

page "neon_create_claim_link" {
  key = "Needs no API key."
}

resource "neon_claimable_database" {
  not_listed = "nobody has an account that they would belong to"
  no_calls = "the tests of its folder let its calls fail"
  few = "each is read by a request of its own"
  at = "/database/{id}#"
  needs = "ref = \"a\""
  whole = "timeouts = { create = \"5m\" }"
  found_by = ["id"]
  fixed = ["id"]

  timeouts = ["create"]

  change "enable_logical_replication" {
    after = "enable_logical_replication = true"
  }

  change "engine" {
    after = "engine = \"claimable_neon\""
  }

  change "services" {
    after = "services = [\"auth\"]"
  }

  change "ref" {
    after = "ref = \"b\""
  }

  change "seed" {
    after = "seed = { type = \"sql-script\", path = \"$file\" }"
  }

  change "seed.path" {
    before = "seed = { type = \"sql-script\", path = \"$file\" }"
    after = "seed = { type = \"sql-script\", path = \"$other_file\" }"
  }

  change "seed.type" {
    after = "seed = { type = \"sql-script\", path = \"$file\" }"
  }
}
