# What tests and pages need to know of this noun: internal/nouns reads it.
group    = "Operations and Usage"
leads_to = ["consumption", "advisor"]

page "neon_operation" {}
page "neon_operations" {}
