# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Claimable Databases"

page "neon_claimable_database" {
  key = "Needs no API key."
}
page "neon_create_claim_link" {
  key = "Needs no API key."
}

resource "neon_claimable_database" {
  protects   = "database"
  not_listed = "nobody has an account that they would belong to"
  at         = "/database/{id}#"
  local      = ["enable_logical_replication", "engine", "services", "ref", "seed", "seed.path", "seed.type"]
  timeouts   = ["create"]
  no_calls   = "TestAccClaimableDatabase_claimableNeonLost"
  few        = "each is read by a request of its own"

  needs { ref = "a" }
  several { ref = "app$n" }

  chaos {
    objects        = "claimable_databases"
    twinless       = true
    alike          = true
    stays          = true
    sometimes_goes = true
    becomes        = []
    sometimes { engine = "claimable_neon" }
  }

  change "enable_logical_replication" { after = true }
  change "engine" { after = "claimable_neon" }
  change "services" { after = ["auth"] }
  change "ref" { after = "b" }
  change "seed" { after = { type = "sql-script", path = "$file" } }
  change "seed.path" {
    before { seed = { type = "sql-script", path = "$file" } }
    after { seed = { type = "sql-script", path = "$other_file" } }
  }
  change "seed.type" {
    after { seed = { type = "sql-script", path = "$file" } }
  }
}
